// Measures ajv, from bytes to verdict, for the bench's verdict table.
//
//   node ajv.mjs SCHEMA-FOLDER BATCH-MICROSECONDS
//
// Each line on stdin, {"schema": ID, "document": TEXT}, is answered by a line:
// the CPU nanoseconds of one call, or "!" and why there are none.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const [folder, micros] = process.argv.slice(2);
const batch = Number(micros) * 1e3;
const warmth = 20e6; // nanoseconds for which a new document is run unmeasured

const ajv = new Ajv({ strict: false, logger: false });
addFormats(ajv);
for (const name of fs.readdirSync(folder).filter((n) => /\.v\d+\.json$/.test(n)))
  ajv.addSchema(JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")));

const cpu = () => {
  const used = process.cpuUsage();
  return (used.user + used.system) * 1e3;
};

const repeat = (call, count) => {
  const start = cpu();
  for (let i = 0; i < count; i++) call();
  return cpu() - start;
};

const counts = new Map(); // calls that fill a batch, by document
let sink = 0; // keeps the calls from being optimised away

function measure({ schema, document }) {
  const validate = ajv.getSchema(schema);
  const bytes = Buffer.from(document);
  const call = () => { sink += validate(JSON.parse(bytes.toString())) ? 1 : 0; };
  if (!counts.has(document)) {
    if (!validate(JSON.parse(document))) return "!rejects the document";
    for (let n = 1, spent = 0; spent < warmth; n *= 2) spent += repeat(call, n);
    let n = 1;
    while (repeat(call, n) < batch) n *= 2;
    counts.set(document, n);
  }
  const n = counts.get(document);
  return String(repeat(call, n) / n);
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = measure(JSON.parse(line));
  } catch (e) {
    answer = "!" + String(e.message).split("\n")[0];
  }
  process.stdout.write(answer + "\n");
}
if (sink < 0) process.exit(1);
