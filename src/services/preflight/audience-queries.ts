import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { mailedJson } from "../../db/subscriber-columns.ts";
import { isSuppressed } from "../suppressions/index.ts";

/** Subscribers as the parts of a query; `id` is in the order of `from`. */
export interface Members {
  from: SQL;
  where: SQL;
  id: SQL;
}

/**
 * The filters that lead from the subscribers of a project to the recipients of a broadcast. No
 * statement contains `chosen` twice, because its conditions take up to 60 of D1's 100 parameters.
 */
export interface Narrowing {
  projectId: string;
  /** The active subscribers who meet the condition of the broadcast. */
  chosen: Members;
  /** True for subscribers whose consent covers the topic. */
  consenting: SQL;
  /** True for subscribers outside the frequency cap. */
  due: SQL;
  topics: string[];
}

/** Returns the condition that a subscriber gets a mail now. */
const recipients = ({ projectId, chosen, consenting, due }: Narrowing): SQL =>
  sql`${chosen.where} and ${consenting} and ${due}
    and not ${isSuppressed(projectId, sql`subscribers.email`)}`;

/** The recipients of a broadcast: `total` is `active` minus the three other counts. */
export interface RecipientCounts {
  active: number;
  suppressed: number;
  withoutConsent: number;
  tooSoon: number;
  total: number;
}

/**
 * Counts the recipients of a broadcast and those that are excluded, each under the first reason
 * that applies. Reads the audience, and an index entry of the suppressions for each member of it.
 */
export function countRecipients(db: Database, { projectId, chosen, consenting, due }: Narrowing) {
  return db.all<RecipientCounts>(
    sql`select count(*) as active,
        count(*) filter (where reason = 'suppressed') as suppressed,
        count(*) filter (where reason = 'consent') as "withoutConsent",
        count(*) filter (where reason = 'soon') as "tooSoon",
        count(*) filter (where reason = '') as total
      from (
        select case when ${isSuppressed(projectId, sql`subscribers.email`)} then 'suppressed'
            when not (${consenting}) then 'consent' when not (${due}) then 'soon' else '' end as reason
        from ${chosen.from} where ${chosen.where})`,
  );
}

/** The number of newest recipients whose variables are checked. */
const CHECKED_MAX = 2_000;

/** Selects the newest recipient: at most one row. */
export const selectNewest = (db: Database, narrowing: Narrowing) =>
  db.all<{ sample: string }>(
    sql`select ${mailedJson("subscribers")} as sample
      from ${narrowing.chosen.from} where ${recipients(narrowing)}
      order by ${narrowing.chosen.id} desc limit 1`,
  );

/** A variable that recipients lack. The row with `n` −1 counts the recipients that were checked. */
export interface LackRow {
  /** The index of its path in the list. */
  n: number;
  people: number;
  /** JSON: the addresses of three of these recipients; null in the first row. */
  named: string | null;
}

/** Checks variables of the newest recipients. `paths` are JSON paths in a `MailedSubscriber`. */
export function checkVariables(db: Database, narrowing: Narrowing, paths: readonly string[]) {
  const { from, id } = narrowing.chosen;
  return db.all<LackRow>(
    sql`with looked as materialized (
        select email, ${mailedJson("subscribers")} as data
        from ${from} where ${recipients(narrowing)} order by ${id} desc limit ${CHECKED_MAX})
      select -1 as n, count(*) as people, null as named from looked
      union all
      select p.key, count(*), json_extract(json_group_array(email), '$[0]', '$[1]', '$[2]')
        from looked cross join json_each(${JSON.stringify(paths)}) p
        where coalesce(json_extract(data, p.value), '') = '' group by p.key`,
  );
}
