import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { projectExists, softBounceLimitOf } from "../projects/index.ts";
import { isErased, withHashes } from "./erased.ts";
import { suppressStatements } from "./suppress.ts";

/*
 * Soft bounces: temporary rejections by a mailbox, counted by address over distinct days (API
 * reference §14.5). Only a rejection inserts a row. An accepted mail resets a count of SMTP replies
 * immediately. It resets a count with reports only once no report about it has arrived, because
 * many servers accept every mail and bounce it later. It costs nothing for an address without a
 * row.
 */

/** The minimum number of days between the first and the last soft bounce. */
const LEAST_SPAN_DAYS = 7;

/**
 * The number of days after which an accepted mail without a report counts as delivered. Servers try
 * for up to five days (RFC 5321 §4.5.4.1).
 */
const REPORTED_WITHIN_DAYS = 7;

/** The number of days after which an address without further mail is deleted. */
const FORGOTTEN_DAYS = 90;

const SOURCE = "soft bounces";

const dayOf = (ms: number) => Math.floor(ms / DAY_MS);

/** A rejection in a report. */
export interface ReportedRefusal {
  email: string;
  /** The time of the mail that the report is about, in milliseconds, if known. */
  sentAt: number | undefined;
}

/** The source of rejections, and how they affect mails accepted earlier. */
interface BounceSource {
  byReport: 0 | 1;
  /** The new value of `accepted_day`. */
  accepted: SQL;
  /** Its value when the count restarts. */
  acceptedAnew: SQL;
  /** The condition that it changes even if the day of the rejection is already counted. */
  clears: SQL;
}

const REPLIES: BounceSource = {
  byReport: 0,
  accepted: sql`accepted_day`,
  acceptedAnew: sql`null`,
  clears: sql`false`,
};
/** A mail accepted after the bounced one may have been delivered. */
const REPORTS_OF_MAILS: BounceSource = {
  byReport: 1,
  accepted: sql`nullif(accepted_day, excluded.last_day)`,
  acceptedAnew: sql`iif(accepted_day > excluded.last_day, accepted_day, null)`,
  clears: sql`excluded.last_day = accepted_day`,
};
/** Such a report may be about any mail. */
const OTHER_REPORTS: BounceSource = {
  byReport: 1,
  accepted: sql`null`,
  acceptedAnew: sql`null`,
  clears: sql`accepted_day is not null`,
};

const accept = prepared((db, at: { day: SQL; projectId: SQL; emails: SQL }, when) =>
  db.run(
    sql`update soft_bounces set accepted_day = ${at.day}, days = days * by_report
      where project_id = ${at.projectId} and email in (select value from json_each(${at.emails}))
      and accepted_day is null and ${when}`,
  ),
);

/**
 * Returns the statement that records that the server accepted mails to addresses, in an array. It
 * resets the counts of SMTP replies. It does nothing unless `when` holds.
 */
export function noteAccepted(
  { db, now }: Deps,
  projectId: string,
  emails: string[],
  when?: SQL,
): Statement[] {
  if (emails.length === 0) return [];
  return [accept(db, { day: dayOf(now()), projectId, emails: JSON.stringify(emails) }, when)];
}

/**
 * Returns the statements that count rejections by SMTP replies and suppress the addresses that have
 * reached the limit of their project. They do nothing unless `when` holds.
 */
export function countRefused(
  deps: Deps,
  projectId: string,
  emails: string[],
  when: SQL = sql`true`,
): Statement[] {
  const day = dayOf(deps.now());
  const refused = emails.map((email) => ({ email, day }));
  return count(deps, projectId, refused, REPLIES, when);
}

/**
 * Returns the statements that count rejections by reports, and suppress as `countRefused` does. A
 * mail counts on the day it was sent, so a repeated report about it changes nothing.
 */
export function countReported(
  deps: Deps,
  projectId: string,
  refusals: ReportedRefusal[],
): Statement[] {
  const today = dayOf(deps.now());
  const dated = refusals.flatMap(({ email, sentAt }) =>
    sentAt === undefined ? [] : [{ email, day: dayOf(sentAt) }],
  );
  const others = refusals.flatMap(({ email, sentAt }) =>
    sentAt === undefined ? [{ email, day: today }] : [],
  );
  return [
    ...count(deps, projectId, dated, REPORTS_OF_MAILS),
    ...count(deps, projectId, others, OTHER_REPORTS),
  ];
}

/** Counts each address once a day, oldest day first. */
function count(
  deps: Deps,
  projectId: string,
  refused: { email: string; day: number }[],
  { byReport, accepted, acceptedAnew, clears }: BounceSource,
  when: SQL = sql`true`,
): Statement[] {
  if (refused.length === 0) return [];
  const { db, config } = deps;
  const emails = [...new Set(refused.map(({ email }) => email))];
  const oldestFirst = refused.toSorted((a, b) => a.day - b.day);
  const rows = JSON.stringify(oldestFirst.map((one) => withHashes(config, one)));
  const day = sql`value ->> 'day'`;
  const hasReachedLimit = sql`exists (select 1 from soft_bounces
    where project_id = ${projectId} and email = value ->> 'email' and last_day - first_day >= ${LEAST_SPAN_DAYS}
      and days >= ${softBounceLimitOf(projectId)} and ${softBounceLimitOf(projectId)} > 0)`;
  const entries = emails.map(
    (email) => ({ email, reason: "hard_bounce", source: SOURCE }) as const,
  );
  return [
    db.run(
      sql`insert into soft_bounces (project_id, email, days, first_day, last_day, by_report)
        select ${projectId}, value ->> 'email', 1, ${day}, ${day}, ${byReport} from json_each(${rows})
        where ${when} and ${projectExists(projectId)} and not ${isErased(config, projectId)}
        on conflict do update set
          days = days + (days = 0 or excluded.last_day > last_day),
          first_day = iif(days = 0, excluded.first_day, first_day),
          last_day = iif(days = 0, excluded.last_day, max(last_day, excluded.last_day)),
          by_report = max(by_report, excluded.by_report),
          accepted_day = iif(days = 0, ${acceptedAnew}, ${accepted})
        where days = 0 or excluded.last_day > last_day or ${clears}
          or (excluded.by_report > by_report and excluded.last_day >= first_day)`,
    ),
    ...suppressStatements(deps, projectId, entries, when, hasReachedLimit),
  ];
}

/** Returns the statement that deletes the soft bounces of an address. */
export const deleteSoftBounces = (db: Database, projectId: string, email: string | SQL) =>
  db.run(sql`delete from soft_bounces where project_id = ${projectId} and email = ${email}`);

/**
 * Deletes the soft bounces of addresses whose mail is delivered again, and of those without mail
 * for 90 days. Runs every night.
 */
export function forgetOldSoftBounces({ db, now }: Deps): Promise<unknown> {
  const today = dayOf(now());
  return db.run(
    sql`delete from soft_bounces where days = 0 or last_day < ${today - FORGOTTEN_DAYS}
      or accepted_day <= ${today - REPORTED_WITHIN_DAYS}`,
  );
}
