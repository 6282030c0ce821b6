import { Hono } from "hono";
import { errorText, logLine } from "../../lib/log-line.ts";
import { selectWaiting } from "../../services/dead-letters/index.ts";
import type { HttpEnv } from "../http-env.ts";

/** Routes of `/health` (API reference §18.1): one D1 read. */
export const healthRoutes = new Hono<HttpEnv>().get("/health", async (c) => {
  try {
    const [letters] = await selectWaiting(c.var.ctx.deps.db);
    return c.json({ status: "ok", dead_letters: letters?.waiting ?? 0 });
  } catch (error) {
    logLine("error", "health_failed", { error: errorText(error) });
    return c.json({ error: "the database does not answer" }, 503);
  }
});
