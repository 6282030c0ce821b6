import { sql } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import type { Brakes } from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { isSenderSide } from "../../mail/bounce/index.ts";
import { selectBroadcastRefusals, type RefusalCount } from "../email-log/reports/index.ts";
import { bounceSettingsOf, selectBounceSettings } from "../projects/index.ts";
import { complainedWords } from "./complained-broadcasts.ts";
import { enqueue } from "./enqueue.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import { selectOpenCounts, type BroadcastRow } from "./queries.ts";
import { NOT_YET } from "./sample.ts";

/**
 * The least number of outcomes, as in the first window of a brake: a sample with fewer counts as
 * having this many.
 */
const FEWEST_OUTCOMES = 200;

/** The largest number of refused mails of each kind that a look reads. */
const REFUSALS_READ = 5_000;

/** The outcomes of a sample. */
interface Outcomes {
  total: number;
  complaints: number;
  refusals: RefusalCount[];
}

/**
 * Looks at the outcomes of a sample, including the bounces that have come back since. If they reach
 * a limit of the broadcast's brakes, pauses the broadcast. Otherwise releases the chunks that wait.
 * Does nothing before the time of the look, and for a broadcast that is not sending.
 */
export async function lookAtSample(deps: Deps, broadcast: BroadcastRow): Promise<void> {
  const { id, projectId, createdAt, complaints, looksAt } = broadcast;
  const { db } = deps;
  const now = deps.now();
  if (broadcast.state !== "sending" || looksAt === 0 || looksAt > now) return;
  const [settings, open, refusals] = await runBatch(db, [
    selectBounceSettings(db, projectId),
    selectOpenCounts(db, sql`${id}`),
    selectBroadcastRefusals(db, { projectId, broadcastId: id, from: createdAt }, REFUSALS_READ),
  ]);
  const total = [broadcast, ...open].reduce(
    (sum, { sent, failed, bounced }) => sum + sent + failed + bounced,
    0,
  );
  const reason = alarm({ total, complaints, refusals }, bounceSettingsOf(settings[0]).brakes);
  if (reason !== undefined) return pauseByItself(deps, broadcast, reason);
  const [, released] = await runBatch(db, [endLook(db, broadcast), releaseAll(db, id, now)]);
  const messages = released.map(
    ({ afterId }) => ({ type: "broadcast_chunk", broadcastId: id, afterId }) as const,
  );
  await enqueue(deps, messages);
}

/** Returns the reason why the rest must not follow a sample, if there is one. */
export function alarm(
  { total, complaints, refusals }: Outcomes,
  brakes: Brakes,
): string | undefined {
  const isOver = (count: number, limitPct: number) =>
    limitPct > 0 && count > 0 && count * 100 >= Math.max(total, FEWEST_OUTCOMES) * limitPct;
  const bad = refusals.reduce((sum, { status, n }) => sum + (status === "bounced" ? n : 0), 0);
  if (isOver(bad, brakes.badAddressPct))
    return `${bad} of the first ${total} addresses do not exist: clean the list`;
  if (isOver(complaints, brakes.complaintPct)) return complainedWords(complaints, total);
  const refused = refusals.find(
    ({ status, reason, n }) =>
      status === "failed" && isSenderSide(reason) && isOver(n, brakes.senderRefusalPct),
  );
  return (
    refused &&
    `${refused.n} of the first ${total} mails were refused for the reason ${refused.reason}`
  );
}

/**
 * Records that a look is over, unless somebody has paused or resumed the broadcast in the meantime.
 */
function endLook(db: Database, { id, looksAt }: BroadcastRow) {
  return db.run(
    sql`update broadcasts set looks_at = 0 where id = ${id} and state = 'sending' and looks_at = ${looksAt}`,
  );
}

function releaseAll(db: Database, id: string, now: number) {
  return db.all<{ afterId: string }>(
    sql`update broadcast_chunks set due_at = ${now}
      where broadcast_id = ${id} and state = 'pending' and due_at = ${NOT_YET}
        and exists (select 1 from broadcasts where id = ${id} and looks_at = 0)
      returning after_id as "afterId"`,
  );
}
