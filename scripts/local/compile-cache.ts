import { fileURLToPath } from "node:url";

/**
 * Enables Node's compile cache in `.cache`: wrangler has 15 MB of source, and a start from the
 * cache takes a quarter of a second less CPU time.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE:
    process.env["NODE_COMPILE_CACHE"] ||
    fileURLToPath(new URL("../../.cache/node", import.meta.url)),
};
