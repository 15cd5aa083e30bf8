// Answers what processes.py asks a client: one line of JSON a question, until there are no more.
//
//     {"verb": "sync", "device": "A"}                          what a client can do: its own verbs
//     {"verb": "cpu"}                                          of this process, in seconds
//
// An answer is {"answer": ...}; whatever goes wrong ends the process with its reason.

import { createInterface } from "node:readline";

import { seconds } from "./counting.mjs";

export async function answer(verbs) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { verb, ...values } = JSON.parse(line);
    const said = verb === "cpu" ? seconds() : await verbs[verb](values);
    process.stdout.write(`${JSON.stringify({ answer: said ?? null })}\n`);
  }
  process.exit(0);
}
