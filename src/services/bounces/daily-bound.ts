import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { acceptedSince } from "../email-log/index.ts";
import { addNotices } from "../service-mail/index.ts";

/*
 * The daily limit of suppressions by reports that prove nothing (decision D103). Anybody can write
 * such a report, and a forger must not be able to empty a list.
 */

/**
 * The days for which a mailed address may bounce without proof. Most servers give up after five.
 */
const RECENT_DAYS = 5;

/**
 * The largest number of suppressions without proof in a day: the larger of this number and this
 * part of the recipients of the recent days.
 */
const LEAST_BOUND = 20;
const PART_OF_RECIPIENTS = 100;

/**
 * Returns the time since which an address must have been mailed for a bounce without proof to
 * count, in milliseconds.
 */
export const recentSince = ({ now }: Pick<Deps, "now">) => now() - RECENT_DAYS * DAY_MS;

const dayOf = ({ now }: Pick<Deps, "now">) => Math.floor(now() / DAY_MS);

/** The number of a day's suppressions without proof, and their bound, as SQL expressions. */
const countOn = (day: number) => sql`iif(unproven_day = ${day}, unproven_count, 0)`;
const boundOf = (deps: Deps, projectId: string) =>
  sql`max(${LEAST_BOUND}, ${acceptedSince(projectId, recentSince(deps))} / ${PART_OF_RECIPIENTS})`;

/** Selects the number of addresses that reports without proof may still suppress today: one row. */
export function selectDailyBound(deps: Deps, projectId: string) {
  return deps.db.all<{ allowance: number }>(
    sql`select max(0, ${boundOf(deps, projectId)} - ${countOn(dayOf(deps))}) as allowance
      from project_counters where project_id = ${projectId}`,
  );
}

/** A claim on the daily bound: its statement, and the condition for later ones of the batch. */
interface BoundClaim {
  statement: Statement;
  isClaimed: SQL;
}

/**
 * Claims today's allowance for `count` addresses. The claim holds for all of them or for none, so
 * two polls that read the same allowance cannot exceed it together.
 */
export function claimDailyBound(deps: Deps, projectId: string, count: number): BoundClaim {
  const { db, newId } = deps;
  const claim = newId();
  const day = dayOf(deps);
  return {
    statement: db.run(
      sql`update project_counters
        set unproven_count = ${countOn(day)} + ${count}, unproven_day = ${day}, unproven_claim = ${claim}
        where project_id = ${projectId} and ${countOn(day)} + ${count} <= ${boundOf(deps, projectId)}`,
    ),
    isClaimed: sql`exists (select 1 from project_counters where project_id = ${projectId} and unproven_claim = ${claim})`,
  };
}

/** Returns the statements that notify the owners once today's limit is reached. */
export function boundNotices(deps: Deps, projectId: string): Statement[] {
  const notice = {
    projectId,
    cause: `unproven ${projectId}`,
    title: "Many bounce reports prove nothing",
    text: "The bounce mailbox has received as many reports without proof as may suppress addresses in one day. The others wait in the list of unverified reports: look for a forger, or suppress the addresses there.",
  };
  const isReached = sql`exists (select 1 from project_counters
    where project_id = ${projectId} and ${countOn(dayOf(deps))} >= ${boundOf(deps, projectId)})`;
  return addNotices(deps, notice, isReached);
}
