// `npm run openapi`: regenerates docs/openapi.json, docs/errors.md, docs/api-routes.md and the
// client's types from the route table and the error catalog. `--check` writes nothing.
import { fileURLToPath } from "node:url";
import { runCommand } from "./command-line.ts";
import { findApiFaults, writeDocument } from "./openapi/stored-document.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

await runCommand("Usage: npm run openapi", async () => {
  const faults = await (process.argv.includes("--check") ? findApiFaults() : writeDocument());
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
});
