// Builds the dashboard and the documentation into assets/, each if its sources have changed since the
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
import { fileURLToPath } from "node:url";

const VITE = "node_modules/vite/bin/vite.js";
const NODE_FOR_SCRIPTS = "node_modules/.bin/node";
const OWN_SOURCES = ["package-lock.json", "scripts/build-assets.mjs"];

/** Each with the files it is made of, and the arguments of Node.js that build it into a folder. */
const BUILDS = [
  {
    name: "dashboard",
    sources: [
      "dashboard/**/*",
      "client/src/*",
      "src/errors.ts",
      "src/lib/*",
      "src/messages/**/*",
      "src/services/segments/*",
    ],
    build: (/** @type {string} */ folder) => [
      VITE,
      "build",
      "dashboard",
      "--outDir",
      `../${folder}`,
      "--logLevel",
      "warn",
    ],
  },
  {
    name: "docs",
    sources: ["*.md", "docs/**/*", "scripts/docs/*", "dashboard/src/icon.svg"],
    build: (/** @type {string} */ folder) => ["scripts/docs/build.ts", folder],
  },
];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

for (const { name, sources, build } of BUILDS) {
  const [built, stampFile] = [`assets/${name}`, `.cache/${name}-built`];
  const wanted = hashOf([...sources, ...OWN_SOURCES]);
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  if (existsSync(`${built}/index.html`) && stamp === wanted) continue;
  run(name, build, built);
  writeFileSync(stampFile, wanted);
}

/** @param {string[]} patterns */
function hashOf(patterns) {
  const hash = createHash("sha256");
  for (const file of patterns.flatMap((pattern) => globSync(pattern).sort()))
    if (statSync(file).isFile()) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/**
 * Builds into a new directory and swaps it in atomically, so that a running service serves either
 * the old or the new files.
 * @param {string} name
 * @param {(folder: string) => string[]} build
 * @param {string} built
 */
function run(name, build, built) {
  const fresh = `.cache/${name}-build-${process.pid}`;
  process.stdout.write(`Building the ${name} …\n`);
  const result = spawnSync(NODE_FOR_SCRIPTS, build(fresh), {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    process.stderr.write(`The ${name} could not be built.\n`);
    process.exit(1);
  }
  mkdirSync("assets", { recursive: true });
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
}
