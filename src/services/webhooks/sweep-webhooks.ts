import type { App } from "../../app.ts";
import { runBatch } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { deleteOldDeliveries, purgeStep, selectPurges } from "./queries.ts";
import { selectDueWebhooks } from "./turn-queries.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

/** Webhooks woken by one look, and looks of one run. */
const WEBHOOKS_PER_LOOK = 500;
const LOOKS_PER_RUN = 10;

/** Deleted webhooks worked on in one run. */
const PURGES_PER_RUN = 20;

/** Old deliveries removed in one statement, and statements of one night. */
const OLD_PER_STEP = 1_000;
const STEPS_PER_NIGHT = 150; // with those of the other nightly jobs below the 1,000 queries of an invocation

/** Wakes what has something due, whatever became of its messages; run every minute. */
export async function sweepWebhooks(app: App): Promise<void> {
  let afterId = "";
  for (let look = 0; look < LOOKS_PER_RUN; look += 1) {
    const due = await selectDueWebhooks(app.db, app.now(), afterId, WEBHOOKS_PER_LOOK);
    const ids = due.map(({ id }) => id);
    await wakeWebhooks(app, ids);
    if (ids.length < WEBHOOKS_PER_LOOK) return;
    afterId = ids.at(-1) ?? "";
  }
}

/** Goes on with the removal of the history of deleted webhooks, 500 rows each; run every minute. */
export async function continueWebhookPurges(app: App): Promise<void> {
  const purges = await selectPurges(app.db, PURGES_PER_RUN);
  for (const { webhookId } of purges) await runBatch(app.db, purgeStep(app.db, webhookId));
}

/**
 * Removes deliveries that are over and older than LOG_RETENTION_DAYS (0 keeps them), at most 150,000 a
 * night. Ids are UUIDv7, so that each webhook's old ones are the beginning of its part of the primary key.
 */
export async function forgetOldDeliveries({ db, config, now }: App): Promise<void> {
  if (config.logRetentionDays === 0) return;
  const beforeId = uuidFloor(now() - config.logRetentionDays * DAY_MS);
  let fromId = "";
  for (let step = 0; step < STEPS_PER_NIGHT; step += 1) {
    const gone = await deleteOldDeliveries(db, fromId, beforeId, OLD_PER_STEP);
    if (gone.length < OLD_PER_STEP) return;
    fromId = gone.reduce((last, { webhookId }) => (webhookId > last ? webhookId : last), fromId);
  }
}

/** A text below the UUIDv7s of this time or later, and above all earlier ones (RFC 9562 §5.7). */
function uuidFloor(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
