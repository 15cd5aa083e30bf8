// Two devices of kinto.js: `node kinto_client.mjs FOLDER URL`, then as client.mjs says.

import { createRequire } from "node:module";
import { join } from "node:path";

import { answer } from "./client.mjs";

const [folder, url] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
require("fake-indexeddb/auto");
const { default: Kinto } = require("kinto");

const remote = `${url}/v1`;
const basic = Buffer.from("bench:bench").toString("base64");
const headers = { Authorization: `Basic ${basic}`, "Content-Type": "application/json" };
const devices = Object.fromEntries(["A", "B"].map((name) => [name, device(name)]));

function device(dbName) {
  const kinto = new Kinto({ remote, bucket: "bench", headers, adapterOptions: { dbName } });
  return kinto.collection("facts");
}

async function put(path) {
  const reply = await fetch(`${remote}${path}`, { method: "PUT", headers });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}

await answer({
  async prepare() {
    await put("/buckets/bench");
    await put("/buckets/bench/collections/facts");
  },
  async hold({ device, records }) {
    for (const { key, body } of records) {
      await devices[device].create({ id: key, ...body }, { useRecordId: true });
    }
  },
  async change({ device, key, text }) {
    const { data } = await devices[device].get(key);
    await devices[device].update({ ...data, text });
  },
  async delete({ device, key }) {
    await devices[device].delete(key);
  },
  async sync({ device }) {
    const said = await devices[device].sync({ strategy: "manual", headers, timeout: null });
    if (!said.ok) throw new Error(JSON.stringify(said.errors.concat(said.conflicts)));
  },
  async held({ device }) {
    const { data } = await devices[device].list();
    return data.map(({ id, text }) => [id, text]);
  },
});
