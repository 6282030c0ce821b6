import { broadcastReason, textOfReasons } from "../../messages/broadcast-reasons.ts";
import { eq, sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { getBroadcast, type BroadcastProgress } from "./control-broadcast.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import { selectProjectBroadcast } from "./queries.ts";

const SHORTEST_PAUSE_MS = 50;
/** The next pause as a fraction of the time waited so far. */
const LATENESS = 0.011;

/** The maximum wait for a first outcome, below the timeout of common proxies. */
const FIRST_OUTCOME_MS = 50_000;

const IS_UNDER_WAY: ReadonlySet<string> = new Set(["queued", "sending"]);

type Progress = Awaited<ReturnType<typeof poll>>[number];

/** How a request waits for the broadcast that it has started, in two parts. */
export interface BroadcastWait {
  /**
   * Waits until the mail server has answered about a mail or the first round has ended, at most 50
   * seconds.
   */
  firstOutcome: () => Promise<void>;
  /**
   * Waits until every recipient has been tried once, or the broadcast has ended or paused. Stops if
   * `isWanted` returns false, because the client has gone.
   */
  everyOutcome: (isWanted: () => boolean) => Promise<BroadcastProgress>;
}

/**
 * Returns the wait for a broadcast. Both parts pause the broadcast and throw smtp_failed with the
 * reason if no session with the mail server could be opened for any recipient.
 */
export function followBroadcast(ctx: Ctx, project: ProjectRow, id: string): BroadcastWait {
  const pauses = pausesBetweenPolls();
  return {
    async firstOutcome() {
      const isEnough = ({ isAsked, isTried }: Progress, waitedMs: number) =>
        isAsked === 1 || isTried === 1 || waitedMs >= FIRST_OUTCOME_MS;
      const last = await pollUntil(ctx.deps, id, { pauses, isEnough, isWanted: () => true });
      await requireSession(ctx, project, id, last);
    },
    async everyOutcome(isWanted) {
      const isEnough = ({ isTried }: Progress) => isTried === 1;
      const last = await pollUntil(ctx.deps, id, { pauses, isEnough, isWanted });
      await requireSession(ctx, project, id, last);
      return getBroadcast(ctx, project, id);
    },
  };
}

/** Polls until a batch has ended or `isWanted` returns false. */
export async function waitUntilOver(
  deps: Deps,
  id: string,
  isWanted: () => boolean,
): Promise<void> {
  await pollUntil(deps, id, { pauses: pausesBetweenPolls(), isEnough: () => false, isWanted });
}

interface Wait {
  pauses: Generator<number, never>;
  /** Returns true if the wait can end. A broadcast that has ended or paused always ends it. */
  isEnough: (seen: Progress, waitedMs: number) => boolean;
  isWanted: () => boolean;
}

/** Polls until the wait ends, and returns the last state; undefined if the client has gone. */
async function pollUntil(
  { db }: Deps,
  id: string,
  { pauses, isEnough, isWanted }: Wait,
): Promise<Progress | undefined> {
  for (let waitedMs = 0; isWanted();) {
    const pauseMs = pauses.next().value;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    waitedMs += pauseMs;
    const [seen] = await poll(db, id);
    if (!seen || !IS_UNDER_WAY.has(seen.state) || isEnough(seen, waitedMs)) return seen;
  }
  return undefined;
}

/**
 * Yields the pauses between polls of a broadcast, in milliseconds. The wait ends at most 50 ms, or
 * 1.1 % of the broadcast's duration, late. An hour takes 710 polls. Twenty hours take fewer than
 * the 1,000 queries that D1 allows per invocation.
 */
export function* pausesBetweenPolls(): Generator<number, never> {
  for (let waitedMs = 0; ;) {
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, waitedMs * LATENESS);
    yield pauseMs;
    waitedMs += pauseMs;
  }
}

/**
 * Reads one row without the mail's bodies, which may be large. `isTried` is 1 when no chunk awaits
 * its first attempt, and `isAsked` when the mail server has answered about a mail.
 */
function poll(db: Database, id: string) {
  const hasChunk = (when: SQL) =>
    sql`exists (select 1 from broadcast_chunks r where r.broadcast_id = ${id} and ${when})`;
  const answered = sql`sent + failed + bounced > 0`;
  const waitsAsked = sql`instr(again || deferred, '"asked":') > 0`;
  return db
    .select({
      state: broadcasts.state,
      reasons: broadcasts.reasons,
      isTried: sql<number>`planned_id >= cutoff_id and ${hasChunk(sql`true`)} and not ${hasChunk(sql`attempt = 0`)}`,
      isAsked: sql<number>`${answered} or ${hasChunk(sql`(${answered} or ${waitsAsked})`)}`,
    })
    .from(broadcasts)
    .where(eq(broadcasts.id, id));
}

/**
 * Throws smtp_failed if a broadcast has auto-paused, or must pause now, because the mail server has
 * not answered about any recipient.
 */
async function requireSession(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  seen: Progress | undefined,
) {
  if (!seen || seen.isAsked === 1) return;
  const isUntried = seen.state === "sending" && seen.isTried === 1;
  const reason = isUntried ? await pauseUntried(ctx, project, id) : textOfReasons(seen.reasons);
  if ((isUntried || seen.state === "paused") && reason !== null)
    throw refusal("smtp_failed", { reason }, { fields: { broadcast_id: id } });
}

/**
 * Pauses a broadcast whose first round opened no session, and returns the reason. Resuming implies
 * that the cause is fixed, so its rounds start over.
 */
async function pauseUntried({ deps }: Ctx, project: ProjectRow, id: string): Promise<string> {
  const [[broadcast], [refusal]] = await runBatch(deps.db, [
    selectProjectBroadcast(deps.db, project.id, id),
    deps.db.all<{ error: string }>(
      sql`select w.value ->> 'error' as error from broadcast_chunks r cross join json_each(r.again) w
        where r.broadcast_id = ${id} and w.value ->> 'error' <> '' limit 1`,
    ),
  ]);
  const reason = refusal
    ? broadcastReason("server_error", { reply: refusal.error })
    : broadcastReason("no_session", {});
  if (broadcast) await pauseByItself(deps, broadcast, reason);
  await deps.db.run(
    sql`update broadcast_chunks set attempt = 0 where broadcast_id = ${id} and state = 'pending'`,
  );
  return reason.message;
}
