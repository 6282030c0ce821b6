// `npm run deploy`: applies the migrations, then deploys the Worker, to the Cloudflare account that
// wrangler is logged in to.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { unstable_readConfig, type Unstable_Config } from "wrangler";
import { OperatorError, runCommand } from "./command-line.ts";

/** Id in wrangler.toml before the resource exists. */
const PLACEHOLDER_ID = /^[0-]+$/;

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

await runCommand("Usage: npm run deploy [-- OPTIONS OF wrangler deploy]", () => {
  const options = process.argv.slice(2);
  if (!options.includes("--dry-run")) {
    refusePlaceholders();
    runWrangler(["d1", "migrations", "apply", "DB", "--remote"]);
  }
  runWrangler(["deploy", ...options]);
});

function refusePlaceholders() {
  const config: Unstable_Config = unstable_readConfig({ config: "wrangler.toml" });
  const ids = [
    ...config.d1_databases.map(({ binding, database_id: id }) => ({ binding, id })),
    ...config.kv_namespaces.map(({ binding, id }) => ({ binding, id })),
  ];
  const missing = ids.filter(({ id }) => !id || PLACEHOLDER_ID.test(id));
  if (missing.length === 0) return;
  const names = missing.map(({ binding }) => binding).join(" and ");
  throw new OperatorError(
    `wrangler.toml has no id for ${names} yet: create the resources first (see docs/deployment.md)`,
  );
}

function runWrangler(args: string[]) {
  const program = fileURLToPath(
    new URL("../node_modules/wrangler/bin/wrangler.js", import.meta.url),
  );
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: "inherit" });
  if (status !== 0) throw new OperatorError(`wrangler ${args[0]} failed; later steps did not run`);
}
