// `npm run check`: runs every static check, in parallel and offline. `npm run check -- types docs`
// runs only the named checks.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findDocFaults } from "./check-docs.ts";
import { findBreaches, checkedFiles } from "./import-rules/find-breaches.ts";
import { findTableBreaches } from "./import-rules/find-table-breaches.ts";

const MIGRATIONS_COPY = ".cache/check-migrations";

interface Finding {
  isGood: boolean;
  output: string;
}

interface Check {
  name: string;
  /** What to do if it fails. */
  remedy: string;
  run: () => Promise<Finding>;
}

const CHECKS: Check[] = [
  { name: "format", remedy: "npm run format", run: () => runTool("oxfmt", ["--check", "."]) },
  {
    name: "lint",
    remedy: "see the rule named in brackets",
    run: () => runTool("oxlint", ["--type-aware", "--deny-warnings"]),
  },
  { name: "types", remedy: "see the errors", run: checkTypes },
  {
    name: "bindings",
    remedy: "npm run types",
    // The header of the generated file contains the options, none of which reads `.dev.vars`.
    run: () => runTool("wrangler", ["types", "--check"]),
  },
  { name: "migrations", remedy: "npm run db:generate", run: findMissingMigration },
  { name: "imports", remedy: "see docs/architecture.md", run: checkImports },
  { name: "unused", remedy: "remove the unused code", run: () => runTool("knip", []) },
  { name: "docs", remedy: "see docs/, CONTRIBUTING.md and npm run openapi", run: checkDocs },
];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) throw new Error(`there is no check ${unknown.join(", ")}`);
const chosen = CHECKS.filter(({ name }) => named.length === 0 || named.includes(name));
const results = await Promise.all(chosen.map(report));
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1;

async function report({ name, remedy, run }: Check): Promise<Finding> {
  const startedAt = performance.now();
  const finding = await run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    finding.isGood
      ? `ok      ${name} (${seconds} s)\n`
      : `FAILED  ${name} (${seconds} s): ${remedy}\n${finding.output.trimEnd()}\n\n`,
  );
  return finding;
}

/** Type-checks the service, the command line, and the client and dashboard with browser types only. */
async function checkTypes(): Promise<Finding> {
  const findings = await Promise.all(
    [".", "client", "cli", "dashboard"].map((project) => runTool("tsc", ["-p", project])),
  );
  return {
    isGood: findings.every(({ isGood }) => isGood),
    output: findings.map(({ output }) => output).join(""),
  };
}

/** Checks the documents, and that the OpenAPI document matches the routes. */
async function checkDocs(): Promise<Finding> {
  const document = await runTool("node", ["scripts/openapi.ts", "--check"]);
  const faults = findDocFaults();
  return {
    isGood: faults.length === 0 && document.isGood,
    output: [...faults, document.output].join("\n"),
  };
}

/** Checks the import rules and the table owners. */
async function checkImports(): Promise<Finding> {
  const files = checkedFiles();
  const breaches = [...findBreaches(files), ...findTableBreaches(files)];
  return { isGood: breaches.length === 0, output: breaches.join("\n") };
}

/**
 * Generates a migration from the schema in a copy of the folder; there must be nothing to generate.
 */
async function findMissingMigration(): Promise<Finding> {
  const folder = join(MIGRATIONS_COPY, "migrations");
  rmSync(MIGRATIONS_COPY, { recursive: true, force: true });
  mkdirSync(MIGRATIONS_COPY, { recursive: true });
  cpSync("migrations", folder, { recursive: true });
  const configFile = join(MIGRATIONS_COPY, "drizzle.config.ts");
  writeFileSync(
    configFile,
    `import config from "../../drizzle.config.ts";\nexport default { ...config, out: "./${folder}" };\n`,
  );
  const before = readdirSync(folder).length;
  const made = await runTool("drizzle-kit", ["generate", `--config=${configFile}`]);
  if (!made.isGood || readdirSync(folder).length === before) return made;
  return { isGood: false, output: "src/db/schema differs from the migrations" };
}

function runTool(name: string, args: string[]): Promise<Finding> {
  return new Promise((resolve, reject) => {
    const child = spawn(join("node_modules/.bin", name), args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        CI: "1",
        WRANGLER_HIDE_BANNER: "true",
        WRANGLER_SEND_METRICS: "false",
      },
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ isGood: code === 0, output: Buffer.concat(chunks).toString() });
    });
  });
}
