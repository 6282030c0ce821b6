import { Hono } from "hono";
import { bodyOf, refusal } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { runBatch } from "../../db/client.ts";
import { selectWaiting } from "../../services/dead-letters/index.ts";
import { knownFill, selectStorage } from "../../services/storage/index.ts";
import type { HttpEnv } from "../http-env.ts";

/** Routes of `/health` (API reference §18.1): one round trip to D1. */
export const healthRoutes = new Hono<HttpEnv>().get("/health", async (c) => {
  try {
    const { deps } = c.var.ctx;
    const [[letters], [row]] = await runBatch(deps.db, [
      selectWaiting(deps.db),
      selectStorage(deps.db),
    ]);
    const { percent, level } = knownFill(deps, row);
    const storage = {
      level: level ?? "unknown",
      used_pct: percent ?? null,
      log_retention_days: deps.config.logRetentionDays,
    };
    return c.json({ status: "ok", dead_letters: letters?.waiting ?? 0, storage });
  } catch (error) {
    logLine("error", "health_failed", { error: errorText(error) });
    return c.json(bodyOf(refusal("database_unavailable", {})), 503);
  }
});
