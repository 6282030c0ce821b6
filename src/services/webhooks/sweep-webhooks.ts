import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { logLine } from "../../lib/log-line.ts";
import { deleteOldDeliveries } from "./delivery-queries.ts";
import { purgeStep, selectPurges } from "./queries.ts";
import { selectDueWebhooks, selectWebhookAt } from "./turn-queries.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

interface SweepLimits {
  webhooksPerLook: number;
  looks: number;
}

const SWEEP_LIMITS: SweepLimits = { webhooksPerLook: 500, looks: 10 };

/** The number of deleted webhooks handled per run, and of steps for each: 400 statements. */
const PURGES_PER_RUN = 20;
const STEPS_PER_PURGE = 10;

/** The number of old deliveries deleted per statement, and of statements per run. */
const OLD_PER_STEP = 1_000;
const STEPS_PER_RUN = 100; // prune-log.ts adds up the queries of the run

const MINUTE_MS = 60_000;

/** The golden ratio: its multiples, taken modulo 1, spread evenly over the unit interval. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/**
 * Wakes webhooks with due deliveries, even if their messages were lost. Runs every minute. If one
 * query does not find them all, further queries cycle through the rest from a starting point that
 * changes every minute, so no webhook starves behind others that are always due.
 */
export async function sweepWebhooks(deps: Deps, limits = SWEEP_LIMITS): Promise<void> {
  const { webhooksPerLook, looks } = limits;
  const first = await wakeDueAfter(deps, "", webhooksPerLook);
  if (first.length < webhooksPerLook) return;
  const lowest = first.at(-1) ?? "";
  const part = (Math.floor(deps.now() / MINUTE_MS) * GOLDEN_RATIO) % 1;
  const [from] = await selectWebhookAt(deps.db, part);
  const start = from && from.id > lowest ? from.id : lowest;
  let afterId = start;
  let isRound = start === lowest;
  for (let look = 1; look < looks; look += 1) {
    const ids = await wakeDueAfter(deps, afterId, webhooksPerLook);
    const isLast = ids.length < webhooksPerLook;
    afterId = isLast ? lowest : (ids.at(-1) ?? "");
    if (isRound && (isLast || (start > lowest && afterId >= start))) return;
    isRound ||= isLast;
  }
}

async function wakeDueAfter(deps: Deps, afterId: string, limit: number): Promise<string[]> {
  const due = await selectDueWebhooks(deps.db, deps.now(), afterId, limit);
  const ids = due.map(({ id }) => id);
  await wakeWebhooks(deps, ids);
  return ids;
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
