// The memory vendor's own TypeScript SDK over the whole table of the memory API.
//
// Told by the environment: LOCALMEM_URL, LOCALMEM_KEYS (JSON: everything, reader, spent, limited),
// LOCALMEM_FULL (a conversation with as many facts as it may have), LOCALMEM_CLIENTS (the folder
// the SDK is installed in). Prints one line of JSON; what is wrong ends it with the reason.
// Waiting is not waited for: each wait the SDK asks for is noted and is over at once.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const folder = process.env.LOCALMEM_CLIENTS;
const require = createRequire(join(folder, "package.json"));
const { default: Zavudev } = require("@zavudev/sdk");
const { Cursor } = require("@zavudev/sdk/core/pagination");
const { version } = JSON.parse(readFileSync(join(folder, "node_modules/@zavudev/sdk/package.json")));
const keys = JSON.parse(process.env.LOCALMEM_KEYS);

const ANA = { scope: "contact", contactId: "ana" };
const OF_ANA = { scope: "contact:ana" };
const FACTS = "/v1/memory";
const COLLECTIONS = "/v1/memory/collections";
const ORDERS = `${COLLECTIONS}/orders`;
const sent = []; // every request that left the SDK: its status, and the wait it was told
const waits = []; // milliseconds

const later = globalThis.setTimeout;
globalThis.setTimeout = (work, ms, ...rest) => {
  if (!new Error().stack.includes("@zavudev/sdk/internal/utils/sleep")) return later(work, ms, ...rest);
  waits.push(ms);
  return later(work, 0);
};

function connect(apiKey) {
  const counted = async (url, init) => {
    const response = await fetch(url, init);
    sent.push({ status: response.status, after: response.headers.get("retry-after") });
    return response;
  };
  const baseURL = process.env.LOCALMEM_URL;
  return new Zavudev({ apiKey, baseURL, fetch: counted });
}

async function every(client, path, query) {
  const found = [];
  for await (const each of client.getAPIList(path, Cursor, { query })) found.push(each);
  return found;
}

async function facts(client) {
  const made = [];
  for (let number = 0; number < 5; number += 1) {
    made.push(await client.post(FACTS, { body: { text: `Likes tea number ${number}.`, ...ANA } }));
  }
  const [first] = made;
  assert.deepEqual(await client.get(`${FACTS}/${first.id}`, { query: OF_ANA }), first);
  const body = { query: "tea number 3", limit: 2, ...ANA };
  const found = await client.post(`${FACTS}/search`, { body });
  assert.ok(found.items.some((hit) => hit.id === made[3].id));
  const before = sent.length;
  const listed = await every(client, FACTS, { limit: 2, ...OF_ANA });
  assert.deepEqual(listed.map((each) => each.id), made.map((each) => each.id).reverse());
  assert.equal(sent.length - before, 3);
  assert.equal(await client.delete(`${FACTS}/${first.id}`, { query: OF_ANA }), null);
  assert.equal((await every(client, FACTS, OF_ANA)).length, 4);
  const operations = [
    { op: "add", text: "Likes tea at five.", replaces: [made[1].id] },
    { op: "delete", id: made[2].id },
    { op: "add", text: "" },
  ];
  const { results } = await client.post(`${FACTS}/batch`, { body: { operations, ...ANA } });
  assert.deepEqual(results.map((each) => each.ok), [true, true, false]);
  assert.deepEqual([results[0].created, results[0].replaced], [true, [made[1].id]]);
  const kept = (await every(client, FACTS, OF_ANA)).map((each) => each.text).sort();
  assert.deepEqual(kept, ["Likes tea at five.", made[3].text, made[4].text]);
}

async function items(client) {
  const made = await client.post(COLLECTIONS, {
    body: { name: "orders", indexes: [{ field: "status" }] },
  });
  assert.deepEqual(made.indexes, [{ field: "status" }]);
  const item = `${ORDERS}/items/ORD-1`;
  const value = { status: "paid", lines: [1, 2.5, null, "é"] };
  assert.equal((await client.put(item, { query: OF_ANA, body: { value } })).rev, 1);
  for (const form of ["1", '"2"']) {
    await client.put(item, { query: OF_ANA, body: { value }, headers: { "If-Match": form } });
  }
  const held = await client.get(item, { query: OF_ANA });
  assert.deepEqual([held.value, held.rev], [value, 3]);
  const operations = [
    ...["2", "3", "4"].map((n) => ({ op: "set", key: `ORD-${n}`, value: { status: "open" } })),
    { op: "delete", key: "ORD-4" },
    { op: "delete", key: "ORD-9" },
  ];
  const done = await client.post(`${ORDERS}/items/batch`, { query: OF_ANA, body: { operations } });
  assert.ok(done.results.length === 5 && done.results.every((each) => each.ok));
  const listed = await every(client, `${ORDERS}/items`, { limit: 1, prefix: "ORD-", ...OF_ANA });
  assert.deepEqual(listed.map((each) => each.key), ["ORD-1", "ORD-2", "ORD-3"]);
  const asked = { field: "status", op: "eq", value: "open" };
  const found = await client.post(`${ORDERS}/query`, { query: OF_ANA, body: asked });
  assert.deepEqual(found.items.map((each) => each.key), ["ORD-2", "ORD-3"]);
  assert.equal(await client.delete(item, { query: OF_ANA }), null);
  assert.equal(await client.delete(item, { query: OF_ANA }), null);
}

async function collections(client) {
  await client.put(`${COLLECTIONS}/carts/items/a`, { body: { value: 1 } });
  const listed = await every(client, COLLECTIONS, { limit: 1 });
  assert.deepEqual(listed.map((each) => each.name), ["carts", "orders"]);
  const changed = await client.patch(ORDERS, { body: { defaultTtlSeconds: 3600 } });
  assert.equal(changed.defaultTtlSeconds, 3600);
  assert.deepEqual(await client.get(ORDERS), changed);
  assert.equal(await client.delete(`${COLLECTIONS}/carts`), null);
}

async function table() {
  const client = connect(keys.everything);
  assert.equal((await client.get("/v1/me")).isTestMode, false);
  await facts(client);
  await items(client);
  await collections(client);
  assert.equal((await client.get("/v1/memory/sync")).partition, "live");
  const changes = await client.get("/v1/memory/changes", { query: { limit: 3 } });
  assert.ok(changes.changes.length === 3 && changes.more);
  assert.deepEqual(await client.delete(FACTS, { query: OF_ANA }), { status: "deleting" });
  assert.equal((await client.get("/v1/memory/usage")).capReached, false);
}

async function refusals() {
  const everything = connect(keys.everything);
  const reader = connect(keys.reader);
  const spent = connect(keys.spent);
  const stranger = connect(`zv_live_${"A".repeat(40)}`);
  const item = `${ORDERS}/items/a`;
  await everything.put(item, { body: { value: 1 } });
  const full = { text: "One more.", scope: "conversation", conversationId: process.env.LOCALMEM_FULL };
  const put = (headers) => () => everything.put(item, { body: { value: 2 }, headers });
  const cases = [
    [() => everything.post(FACTS, { body: { text: "" } }), "BadRequestError", 400, "invalid_request"],
    [() => everything.post(FACTS, { body: { txt: "a" } }), "BadRequestError", 400, "invalid_request"],
    [() => everything.get(FACTS, { query: { cursor: "x" } }), "BadRequestError", 400, "invalid_cursor"],
    [() => everything.get(FACTS, { query: { scope: "me" } }), "BadRequestError", 400, "invalid_scope"],
    [() => everything.put(`${item}%2Bb`, { body: { value: 1 } }), "BadRequestError", 400, "invalid_key"],
    [() => everything.post(`${ORDERS}/query`, { body: { field: "a", op: "eq", value: 1 } }),
      "BadRequestError", 400, "field_not_indexed"],
    [() => stranger.get(FACTS), "AuthenticationError", 401, "unauthorized"],
    [() => reader.post(FACTS, { body: { text: "a" } }), "PermissionDeniedError", 403, "forbidden"],
    [() => reader.delete(FACTS), "PermissionDeniedError", 403, "forbidden"],
    [() => everything.get(`${FACTS}/mem_${"0".repeat(26)}`), "NotFoundError", 404, "memory_not_found"],
    [() => everything.get(`${ORDERS}/items/b`), "NotFoundError", 404, "item_not_found"],
    [() => everything.get(`${COLLECTIONS}/none`), "NotFoundError", 404, "collection_not_found"],
    [() => everything.patch(FACTS, { body: {} }), "APIError", 405, "method_not_allowed"],
    [() => everything.put(item, { body: { value: "x".repeat(210_000) } }), "APIError", 413,
      "document_too_large"],
    [() => everything.post(COLLECTIONS, { body: { name: "orders" } }), "ConflictError", 409,
      "collection_exists"],
    [put({ "If-Match": "7" }), "ConflictError", 409, "revision_conflict"],
    [put({ "If-None-Match": "*" }), "ConflictError", 409, "revision_conflict"],
    [() => everything.post(FACTS, { body: full }), "RateLimitError", 429, "memory_scope_full"],
    [() => spent.post(FACTS, { body: { text: "a" } }), "RateLimitError", 429, "memory_limit_exceeded"],
  ];
  for (const [ask, kind, status, code] of cases) {
    const before = sent.length;
    await assert.rejects(ask, (problem) => {
      assert.ok(problem instanceof Zavudev[kind], `${code} is a ${problem.constructor.name}`);
      assert.deepEqual([problem.status, problem.error.code], [status, code]);
      assert.ok(problem.message.includes(problem.error.message));
      return true;
    });
    assert.equal(sent.length - before, 1, `${code} was asked ${sent.length - before} times`);
  }
  assert.equal((await everything.get(item)).value, 1);
  return cases.length;
}

// Each 429 that is asked again is asked after the wait it names: no more, no less.
async function limited() {
  const client = connect(keys.limited);
  const [from, waited] = [sent.length, waits.length];
  for (let asked = 0; asked < 40; asked += 1) {
    try {
      await client.get("/v1/me");
    } catch (problem) {
      assert.ok(problem instanceof Zavudev.RateLimitError);
      assert.equal(problem.error.code, "rate_limited");
      break;
    }
  }
  const mine = sent.slice(from);
  const last = mine.pop();
  const told = mine.filter((each) => each.status === 429).map((each) => Number(each.after) * 1000);
  assert.equal(last.status, 429);
  assert.ok(told.length >= 2);
  assert.deepEqual(waits.slice(waited), told);
  return told.length;
}

let told;
if (keys.limited) {
  told = { waited: await limited() };
} else {
  await table();
  const refused = await refusals();
  assert.deepEqual(waits, []);
  told = { refused };
}
const statuses = sent.map((each) => each.status);
process.stdout.write(`${JSON.stringify({ client: "@zavudev/sdk", version, ...told, statuses })}\n`);
process.exit(0);
