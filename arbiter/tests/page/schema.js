// Whether reports are what their schema says: node schema.js SCHEMA REPORT...
import Ajv from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";

const [schema, ...reports] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));
// The schema's formats are widths of numbers, which only say more about a minimum and a maximum.
const validate = new Ajv({ allErrors: true, allowUnionTypes: true, validateFormats: false }).compile(schema);

if (validate({ format: "arbiter-match" })) {
  throw new Error("the schema demands nothing");
}
for (const [number, report] of reports.entries()) {
  if (!validate(report)) {
    throw new Error(`${process.argv[3 + number]}: ${JSON.stringify(validate.errors)}`);
  }
}
