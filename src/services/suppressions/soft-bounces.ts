import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { projectExists, softBounceLimitOf } from "../projects/index.ts";
import { isErased, withHashes } from "./erased.ts";
import { suppressStatements } from "./suppress.ts";

/*
 * Soft bounces: refusals of a mailbox for now, counted by address over distinct days (API reference
 * §14.5). Only a refusal writes a row; a delivery removes it, and costs nothing where there is
 * none.
 */

/** The days between the first and the last soft bounce, at least. */
const LEAST_SPAN_DAYS = 7;

/** The days after which an address that got no more mail is forgotten. */
const FORGOTTEN_DAYS = 90;

const SOURCE = "soft bounces";

const dayOf = (ms: number) => Math.floor(ms / DAY_MS);

const forget = prepared((db, at: { projectId: SQL; emails: SQL }, when) =>
  db.run(
    sql`delete from soft_bounces where project_id = ${at.projectId}
      and email in (select value from json_each(${at.emails})) and ${when}`,
  ),
);

/**
 * Returns the statement that forgets the soft bounces of addresses that took a mail, as a list. It
 * does nothing unless `when` holds.
 */
export function forgetSoftBounces(
  db: Database,
  projectId: string,
  delivered: string[],
  when?: SQL,
): Statement[] {
  if (delivered.length === 0) return [];
  return [forget(db, { projectId, emails: JSON.stringify(delivered) }, when)];
}

/**
 * Returns the statements that count soft bounces and suppress the addresses that have reached the
 * limit of their project. An address counts once a day. They do nothing unless `when` holds.
 */
export function countSoftBounces(
  deps: Deps,
  projectId: string,
  emails: string[],
  when: SQL = sql`true`,
): Statement[] {
  if (emails.length === 0) return [];
  const { db, now, config } = deps;
  const refused = [...new Set(emails)];
  const rows = JSON.stringify(refused.map((email) => withHashes(config, { email })));
  const day = dayOf(now());
  const hasReachedLimit = sql`exists (select 1 from soft_bounces
    where project_id = ${projectId} and email = value ->> 'email' and last_day - first_day >= ${LEAST_SPAN_DAYS}
      and days >= ${softBounceLimitOf(projectId)} and ${softBounceLimitOf(projectId)} > 0)`;
  const entries = refused.map(
    (email) => ({ email, reason: "hard_bounce", source: SOURCE }) as const,
  );
  return [
    db.run(
      sql`insert into soft_bounces (project_id, email, days, first_day, last_day)
        select ${projectId}, value ->> 'email', 1, ${day}, ${day} from json_each(${rows})
        where ${when} and ${projectExists(projectId)} and not ${isErased(config, projectId)}
        on conflict do update set days = days + 1, last_day = ${day} where last_day < ${day}`,
    ),
    ...suppressStatements(deps, projectId, entries, when, hasReachedLimit),
  ];
}

/** Removes the soft bounces of addresses that got no mail for 90 days; runs every night. */
export function forgetOldSoftBounces({ db, now }: Deps): Promise<unknown> {
  return db.run(sql`delete from soft_bounces where last_day < ${dayOf(now()) - FORGOTTEN_DAYS}`);
}
