// `npm run deploy`: deploys or updates the service on the Cloudflare account that wrangler is
// logged in to.
import { fileURLToPath } from "node:url";
import { readServiceConfig } from "./cloudflare/service-config.ts";
import { runCommand } from "./command-line.ts";
import { deployService } from "./deploy/deploy-service.ts";
import { dryRun } from "./deploy/dry-run.ts";
import { thisMachine } from "./deploy/machine.ts";
import { readOptions, USAGE } from "./deploy/options.ts";

const directory = fileURLToPath(new URL("..", import.meta.url));
process.chdir(directory);

await runCommand(USAGE, async () => {
  const options = readOptions(process.argv.slice(2), process.env);
  const machine = thisMachine(directory, process.env);
  const config = readServiceConfig(directory, process.env);
  await (options.isDryRun ? dryRun : deployService)(machine, config, options);
});
