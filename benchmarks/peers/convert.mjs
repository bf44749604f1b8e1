// Reads one JSON schema a line and answers with one line each: {"schema": ..., "ms": ...} or {"error": ..., "ms": ...}.
// The conversion is what a user of the two packages would write: inline the references, then merge what `allOf` holds.

import readline from "node:readline";
import $RefParser from "@apidevtools/json-schema-ref-parser";
import mergeAllOf from "json-schema-merge-allof";

const OPTIONS = {
  resolve: { external: false }, // nothing is fetched, from the network or the disk
  dereference: { circular: "ignore" }, // what refers to itself keeps its reference
};

// Keywords that the merger has no rule for take the first value instead of throwing; to the peer's advantage.
const RESOLVERS = { defaultResolver: mergeAllOf.options.resolvers.first };

async function convert(schema) {
  const inlined = await $RefParser.dereference(schema, OPTIONS);
  const merged = mergeAllOf(inlined, { deep: true, resolvers: RESOLVERS });
  if (!JSON.stringify(merged).includes('"$ref":')) {
    // Every definition that is used has been inlined; what is left of them only weighs.
    delete merged.definitions;
    delete merged.$defs;
  }
  return merged;
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const schema = JSON.parse(line);
  const begun = performance.now();
  let answer;
  try {
    answer = { schema: await convert(schema) };
  } catch (error) {
    answer = { error: String(error?.message ?? error).slice(0, 200) };
  }
  answer.ms = performance.now() - begun;
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
