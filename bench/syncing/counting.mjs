// What counting.py does, as middleware of express.

const PATH = "/__tally";

export function seconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export function counted() {
  let requests = 0;
  return (request, response, next) => {
    if (request.path === PATH) return response.json({ requests, cpu: seconds() });
    requests += 1;
    return next();
  };
}
