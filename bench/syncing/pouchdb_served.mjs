// express-pouchdb on a free port, counted: `node pouchdb_served.mjs INSTALLED FOLDER`.

import { createRequire } from "node:module";
import { join } from "node:path";

import { counted } from "./counting.mjs";

const [installed, folder] = process.argv.slice(2);
const require = createRequire(join(installed, "package.json"));
const express = require("express");
const PouchDB = require("pouchdb-node").defaults({ prefix: `${folder}/` });
const options = {
  inMemoryConfig: true,
  logPath: join(folder, "log.txt"),
  mode: "minimumForPouchDB",
};

const app = express();
app.use(counted());
app.use("/", require("express-pouchdb")(PouchDB, options));
const server = app.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
