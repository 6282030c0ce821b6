import { sql } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import type { AutoPauseLimits } from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { because, broadcastReason } from "../../messages/broadcast-reasons.ts";
import type { Message } from "../../messages/message.ts";
import { LAST_TIME } from "../../lib/durations.ts";
import { isSenderSide } from "../../mail/bounce/index.ts";
import { selectRefusals, type RefusalCount } from "../email-log/reports/index.ts";
import { bounceSettingsOf, selectBounceSettings } from "../projects/index.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import { selectOpenCounts, type BroadcastRow } from "./queries.ts";
import { NOT_YET } from "./canary.ts";

/**
 * The minimum sample size, as in the first window of the auto-pause: a smaller canary is rated as
 * if it had this many outcomes.
 */
const FEWEST_OUTCOMES = 200;

/** The maximum number of rejected mails of each kind that a check reads. */
const REFUSALS_READ = 5_000;

interface Outcomes {
  total: number;
  complaints: number;
  refusals: RefusalCount[];
}

/**
 * Checks the outcomes of a canary, including the bounces received since. If they reach an
 * auto-pause limit, pauses the broadcast. Otherwise releases the waiting chunks.
 * Does nothing before the check is due, and for a broadcast that is not sending, and then returns
 * false.
 */
export async function checkCanary(deps: Deps, broadcast: BroadcastRow): Promise<boolean> {
  const { id, projectId, createdAt, complaints, canaryDueAt } = broadcast;
  const { db } = deps;
  const now = deps.now();
  if (broadcast.state !== "sending" || canaryDueAt === 0 || canaryDueAt > now) return false;
  const [settings, open, refusals] = await runBatch(db, [
    selectBounceSettings(db, projectId),
    selectOpenCounts(db, sql`${id}`),
    selectRefusals(db, projectId, { from: createdAt, to: LAST_TIME }, REFUSALS_READ, id),
  ]);
  const total = [broadcast, ...open].reduce(
    (sum, { sent, failed, bounced }) => sum + sent + failed + bounced,
    0,
  );
  const reason = alarm({ total, complaints, refusals }, bounceSettingsOf(settings[0]).autoPause);
  if (reason !== undefined) await pauseByItself(deps, broadcast, reason);
  else await runBatch(db, [endCanary(db, broadcast), releaseAll(db, id, now)]);
  return true;
}

/** Returns the reason to stop the broadcast after its canary, if there is one. */
export function alarm(
  { total, complaints, refusals }: Outcomes,
  autoPause: AutoPauseLimits,
): Message | undefined {
  const isOver = (count: number, limitPct: number) =>
    limitPct > 0 && count > 0 && count * 100 >= Math.max(total, FEWEST_OUTCOMES) * limitPct;
  const bad = refusals.reduce((sum, { status, n }) => sum + (status === "bounced" ? n : 0), 0);
  if (isOver(bad, autoPause.badAddressPct))
    return broadcastReason("first_addresses_invalid", { number: bad, total });
  if (isOver(complaints, autoPause.complaintPct))
    return broadcastReason("recipients_complained", { number: complaints, total });
  const refused = refusals.find(
    ({ status, reason, n }) =>
      status === "failed" && isSenderSide(reason) && isOver(n, autoPause.senderRefusalPct),
  );
  if (!refused) return undefined;
  const reason = because(String(refused.reason));
  return broadcastReason("first_mails_refused", { number: refused.n, total, reason });
}

/**
 * Records that a check is done, unless the broadcast has been paused or resumed in the meantime.
 */
function endCanary(db: Database, { id, canaryDueAt }: BroadcastRow) {
  return db.run(
    sql`update broadcasts set canary_due_at = 0 where id = ${id} and state = 'sending' and canary_due_at = ${canaryDueAt}`,
  );
}

function releaseAll(db: Database, id: string, now: number) {
  return db.run(
    sql`update broadcast_chunks set due_at = ${now}
      where broadcast_id = ${id} and state = 'pending' and due_at = ${NOT_YET}
        and exists (select 1 from broadcasts where id = ${id} and canary_due_at = 0)`,
  );
}
