import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { logLine } from "../../lib/log-line.ts";
import { deleteOldDeliveries } from "./delivery-queries.ts";
import { purgeStep, selectPurges } from "./queries.ts";
import { selectDueWebhooks } from "./lease-queries.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

/** The maximum number of webhooks that one run wakes. */
const WEBHOOKS_PER_RUN = 1_000;

/** The number of deleted webhooks handled per run, and of steps for each: 400 statements. */
const PURGES_PER_RUN = 20;
const STEPS_PER_PURGE = 10;

/** The number of old deliveries deleted per statement, and of statements per run. */
const OLD_PER_STEP = 1_000;
const STEPS_PER_RUN = 100; // prune-log.ts adds up the queries of the run

/** Wakes webhooks with due deliveries, even if their messages were lost. Runs every minute. */
export async function sweepWebhooks(deps: Deps, limit = WEBHOOKS_PER_RUN): Promise<void> {
  const due = await selectDueWebhooks(deps.db, deps.now(), limit);
  const ids = due.map(({ id }) => id);
  await wakeWebhooks(deps, ids);
}

/**
 * Continues to purge the history of deleted webhooks, at most 5,000 rows each. Runs every minute.
 */
export async function continueWebhookPurges(deps: Deps): Promise<void> {
  const purges = await selectPurges(deps.db, PURGES_PER_RUN);
  for (const { webhookId } of purges) await purgeHistory(deps, webhookId);
}

async function purgeHistory({ db }: Deps, webhookId: string): Promise<void> {
  for (let step = 0; step < STEPS_PER_PURGE; step += 1) {
    const [, ended] = await runBatch(db, purgeStep(db, webhookId));
    if (ended.length > 0) return;
  }
}

/**
 * Deletes finished deliveries older than LOG_RETENTION_DAYS (0 keeps them), at most 150,000 per
 * run, and logs if some are left. Ids are UUIDv7, so each webhook's old deliveries are at the start
 * of its primary key range.
 */
export async function forgetOldDeliveries(
  { db, config, now }: Deps,
  steps = STEPS_PER_RUN,
): Promise<void> {
  if (config.logRetentionDays === 0) return;
  const beforeId = uuidFloor(now() - config.logRetentionDays * DAY_MS);
  let fromId = "";
  for (let step = 0; step < steps; step += 1) {
    const gone = await deleteOldDeliveries(db, fromId, beforeId, OLD_PER_STEP);
    if (gone.length < OLD_PER_STEP) return;
    fromId = gone.reduce((last, { webhookId }) => (webhookId > last ? webhookId : last), fromId);
  }
  logLine("warn", "old_deliveries_left", { steps });
}
