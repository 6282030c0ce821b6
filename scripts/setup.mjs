// Runs before every npm script, on any installed Node version and before any package is installed.
// Installs the exact packages of package-lock.json if they are missing or differ: those that the
// service needs, and with `setup.mjs all` also those for checks and tests (devDependencies).
// `setup.mjs installed` (npm's postinstall) only records a manual installation. `assets` also
// builds the dashboard and the documentation.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OLDEST_NODE_MAJOR = 20;
const LOCK_FILE = "package-lock.json";
const STAMP_FILE = "node_modules/.postrider-installed";
const NODE_FOR_SCRIPTS = "node_modules/.bin/node";
/** One of the devDependencies. */
const TEST_RUNNER = "node_modules/vitest";

// A package's install script provides `node`.
const INSTALL = ["ci", "--ignore-scripts=false", "--no-audit", "--no-fund", "--loglevel=error"];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const wanted = createHash("sha256").update(readFileSync(LOCK_FILE)).digest("hex");
const words = process.argv.slice(2);
const hasAll = existsSync(TEST_RUNNER);
const needsAll = hasAll || words.includes("all");
if (words.includes("installed")) {
  if (existsSync(NODE_FOR_SCRIPTS)) writeFileSync(STAMP_FILE, wanted);
} else if (readStamp() !== wanted || needsAll !== hasAll) {
  install();
}
if (words.includes("assets")) buildAssets();

/** Runs with the packaged Node.js, which may be newer than the installed one. */
function buildAssets() {
  const { status } = spawnSync(NODE_FOR_SCRIPTS, ["scripts/build-assets.mjs"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(1);
}

function readStamp() {
  const isWhole = existsSync(STAMP_FILE) && existsSync(NODE_FOR_SCRIPTS);
  return isWhole ? readFileSync(STAMP_FILE, "utf8") : "";
}

function install() {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE_MAJOR) {
    fail(`Postrider needs Node ${OLDEST_NODE_MAJOR} or newer; this is ${process.version}.`);
  }
  const [use, option] = needsAll
    ? ["of the service, the checks and the tests, 800 MB", "--include=dev"]
    : ["of the service, 584 MB", "--omit=dev"];
  process.stdout.write(`Installing the packages ${use}; this takes about a minute, once…\n`);
  const result = spawnSync("npm", [...INSTALL, option], {
    stdio: ["ignore", "pipe", "inherit"], // npm writes its progress and its errors to stderr
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    fail(`"npm ci" failed${result.error ? `: ${result.error.message}` : ""}.`);
  }
  if (!existsSync(NODE_FOR_SCRIPTS)) {
    fail(`"npm ci" did not install ${NODE_FOR_SCRIPTS}; does this machine block install scripts?`);
  }
  writeFileSync(STAMP_FILE, wanted);
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
