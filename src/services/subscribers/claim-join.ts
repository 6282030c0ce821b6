/*
 * The daily limit on unauthenticated joins in a project (API reference §4.1): by its waitlist, and
 * by public keys. Anyone can call these, and must not be able to flood a list.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { type AppError, refusal } from "../../errors.ts";
import { ceilTo, DAY_MS } from "../../lib/durations.ts";
import { claimToday, countToday, type DailyClaim } from "../limits/index.ts";
import { audienceSettingOf } from "../projects/index.ts";
import { isErasedAddress } from "../suppressions/index.ts";
import { isSubscribed } from "./queries.ts";

/** Claims one of today's joins if `when` holds. */
export function claimJoin(deps: Deps, projectId: string, when: SQL): DailyClaim {
  const limit = audienceSettingOf(projectId, "joinsPerDay");
  return claimToday(deps, projectId, "joins", { count: 1, limit, when });
}

/** Claims the join of an address that is neither in the project nor erased from it. */
export function claimFirstJoin(deps: Deps, projectId: string, email: string, when: SQL) {
  const isNew = sql`not ${isSubscribed(projectId, sql`${email}`)}
    and not ${isErasedAddress(deps.config, projectId, email)}`;
  return claimJoin(deps, projectId, sql`${when} and ${isNew}`);
}

/** Selects a row if today's unauthenticated joins are used up. */
export function selectUsedUp(deps: Deps, projectId: string) {
  return deps.db.all(
    sql`select 1 from project_counters where project_id = ${projectId}
      and ${countToday(deps, "joins")} >= ${audienceSettingOf(projectId, "joinsPerDay")}`,
  );
}

/** Returns the error for a join beyond the daily limit. The next day begins at midnight UTC. */
export function joinsUsedUp({ now }: Pick<Deps, "now">): AppError {
  const restMs = ceilTo(now() + 1, DAY_MS) - now();
  return refusal("joins_used_up", {}, { retryAfterSeconds: Math.ceil(restMs / 1_000) });
}
