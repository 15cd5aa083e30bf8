// Two devices of PouchDB: `node pouchdb_client.mjs INSTALLED FOLDER URL BATCH`, then as client.mjs
// says.

import { createRequire } from "node:module";
import { join } from "node:path";

import { answer } from "./client.mjs";

const [installed, folder, url, batch] = process.argv.slice(2);
const require = createRequire(join(installed, "package.json"));
const PouchDB = require("pouchdb-node");
const Local = PouchDB.defaults({ prefix: `${folder}/` });
const devices = { A: new Local("A"), B: new Local("B") };
const remote = new PouchDB(`${url}/facts`);
const HELD_AT_ONCE = 1000;

await answer({
  async prepare() {
    await remote.info();
  },
  async hold({ device, records }) {
    for (let first = 0; first < records.length; first += HELD_AT_ONCE) {
      const part = records.slice(first, first + HELD_AT_ONCE);
      await devices[device].bulkDocs(part.map(({ key, body }) => ({ _id: key, ...body })));
    }
  },
  async change({ device, key, text }) {
    await devices[device].put({ ...(await devices[device].get(key)), text });
  },
  async delete({ device, key }) {
    await devices[device].remove(await devices[device].get(key));
  },
  async sync({ device }) {
    const said = await devices[device].sync(remote, { batch_size: Number(batch) });
    const errors = [...said.push.errors, ...said.pull.errors];
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
  },
  async held({ device }) {
    const { rows } = await devices[device].allDocs({ include_docs: true });
    return rows.map(({ id, doc }) => [id, doc.text]);
  },
});
