import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { startProcessGroup, type ProcessGroup } from "./process-group.ts";

const WRANGLER = fileURLToPath(
  new URL("../../node_modules/wrangler/bin/wrangler.js", import.meta.url),
);

/** Environment that keeps wrangler offline and non-interactive, with bindings from its files. */
const OFFLINE = {
  CI: "1",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  CLOUDFLARE_INCLUDE_PROCESS_ENV: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
};

/** Starts wrangler for local development as one process group. */
export function startWrangler(args: string[], onLine: (line: string) => void): ProcessGroup {
  return startProcessGroup(
    [WRANGLER, ...args],
    { ...process.env, ...COMPILE_CACHE, ...OFFLINE },
    onLine,
  );
}
