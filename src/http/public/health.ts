import { Hono } from "hono";
import { errorText, logLine } from "../../lib/log-line.ts";
import { PRODUCT } from "../../lib/product.ts";
import { selectWaiting } from "../../services/dead-letters/index.ts";
import type { HttpEnv } from "../http-env.ts";

/** Routes of `/health` (one D1 read) and `/version` (API reference §18). */
export const healthRoutes = new Hono<HttpEnv>()
  .get("/health", async (c) => {
    try {
      const [letters] = await selectWaiting(c.var.ctx.deps.db);
      return c.json({ status: "ok", dead_letters: letters?.waiting ?? 0 });
    } catch (error) {
      logLine("error", "health_failed", { error: errorText(error) });
      return c.json({ error: "the database does not answer" }, 503);
    }
  })
  .get("/version", (c) => {
    const mode = c.var.ctx.deps.config.deploymentMode;
    return c.json({ ...PRODUCT, deployment_mode: mode, enabled: mode !== "cloud" });
  });
