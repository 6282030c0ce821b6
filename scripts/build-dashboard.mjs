// Builds the dashboard into assets/, which the Worker serves, if its sources have changed since the
// last build. `npm start`, `npm test` and `npm run deploy` run it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = [
  "dashboard/**/*",
  "client/src/*",
  "src/lib/*csv.ts",
  "package-lock.json",
  "scripts/*-dashboard.mjs",
];
const BUILT = "assets/dashboard";
const STAMP_FILE = ".cache/dashboard-built";
const VITE = "node_modules/vite/bin/vite.js";
const NODE_FOR_SCRIPTS = "node_modules/.bin/node";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const wanted = hashOfSources();
if (!existsSync(`${BUILT}/index.html`) || readStamp() !== wanted) build();

function hashOfSources() {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((pattern) => globSync(pattern).sort()))
    if (statSync(file).isFile()) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function readStamp() {
  return existsSync(STAMP_FILE) ? readFileSync(STAMP_FILE, "utf8") : "";
}

/**
 * Builds into a new directory and swaps it in atomically, so that a running service serves either
 * the old or the new files.
 */
function build() {
  const fresh = `.cache/dashboard-build-${process.pid}`;
  process.stdout.write("Building the dashboard …\n");
  const result = spawnSync(
    NODE_FOR_SCRIPTS,
    [VITE, "build", "dashboard", "--outDir", `../${fresh}`, "--logLevel", "warn"],
    { encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } },
  );
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    process.stderr.write("The dashboard could not be built.\n");
    process.exit(1);
  }
  mkdirSync(dirname(BUILT), { recursive: true });
  rmSync(BUILT, { recursive: true, force: true });
  renameSync(fresh, BUILT);
  writeFileSync(STAMP_FILE, wanted);
}
