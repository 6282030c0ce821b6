import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { acceptedSince } from "../email-log/index.ts";
import { claimToday, countToday, type DailyClaim } from "../limits/index.ts";
import { addNotices } from "../service-mail/index.ts";

/*
 * The daily limit on suppressions by unproven reports (decision D30). Anyone can forge such a
 * report, and a forger must not be able to empty a list.
 */

/**
 * The number of days within which a mailed address may bounce without proof. Most servers give up
 * after five.
 */
const RECENT_DAYS = 5;

/**
 * The daily limit on suppressions without proof: `LEAST_BOUND`, or one in `PART_OF_RECIPIENTS` of
 * the recipients of the recent days, whichever is larger.
 */
const LEAST_BOUND = 20;
const PART_OF_RECIPIENTS = 100;

/**
 * Returns the time (ms) since which an address must have been mailed for a bounce without proof to
 * count.
 */
export const recentSince = ({ now }: Pick<Deps, "now">) => now() - RECENT_DAYS * DAY_MS;

/** Returns an SQL expression for the daily limit on suppressions without proof. */
const boundOf = (deps: Deps, projectId: string) =>
  sql`max(${LEAST_BOUND}, ${acceptedSince(projectId, recentSince(deps))} / ${PART_OF_RECIPIENTS})`;

/** Selects the number of addresses that unproven reports may still suppress today: one row. */
export function selectDailyBound(deps: Deps, projectId: string) {
  return deps.db.all<{ allowance: number }>(
    sql`select max(0, ${boundOf(deps, projectId)} - ${countToday(deps, "unproven")}) as allowance
      from project_counters where project_id = ${projectId}`,
  );
}

/** Claims today's allowance for `count` addresses, for all of them or for none. */
export function claimDailyBound(deps: Deps, projectId: string, count: number): DailyClaim {
  return claimToday(deps, projectId, "unproven", { count, limit: boundOf(deps, projectId) });
}

/** Returns the statements that notify the owners once today's limit is reached. */
export function boundNotices(deps: Deps, projectId: string): Statement[] {
  const notice = {
    projectId,
    cause: `unproven ${projectId}`,
    title: "Many bounce reports without proof",
    text: "The bounce mailbox has reached the daily limit of reports without proof that may suppress addresses. Further ones wait in the list of unverified reports: check whether they are forged, or suppress the addresses there.",
  };
  const isReached = sql`exists (select 1 from project_counters
    where project_id = ${projectId} and ${countToday(deps, "unproven")} >= ${boundOf(deps, projectId)})`;
  return addNotices(deps, notice, isReached);
}
