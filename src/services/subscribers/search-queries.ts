import { sql, type SQL } from "drizzle-orm";
import { textForms } from "../segments/index.ts";

/**
 * The maximum number of subscribers that a search finds by email, and by each spelling of a name.
 */
const MOST_FOUND = 1_000;

/** The number of subscribers up to which a search looks inside emails and names. */
const MOST_READ = 10_000;

/**
 * The greatest character. No text with a prefix sorts after the prefix followed by this character.
 */
const GREATEST = "\u{10ffff}";

/**
 * Returns the query of the ids of subscribers whose email or name starts with a text. Scans the
 * indexes of emails and names, and reads at most 1,000 entries of each for which `when` holds.
 * Emails are in lower case. A name may start with the text as given, in lower or upper case, or
 * capitalized. In a project of at most 10,000 subscribers, also finds those that contain it.
 */
export function matchingIds(projectId: string | SQL, search: string, when: SQL = sql`true`): SQL {
  const lower = search.toLowerCase();
  const capital = lower.slice(0, 1).toUpperCase() + lower.slice(1);
  const spellings = new Set([search, lower, capital, search.toUpperCase()]);
  const names = [...spellings].map(
    (name) => sql`select * from (select id from subscribers indexed by subscribers_by_name
      where project_id = ${projectId} and name <> '' and ${beginsWith(sql`name`, name)} and ${when}
      order by name limit ${MOST_FOUND})`,
  );
  const emails = sql`select * from (select id from subscribers indexed by subscribers_by_email
    where project_id = ${projectId} and ${beginsWith(sql`email`, lower)} and ${when}
    order by email limit ${MOST_FOUND})`;
  // D1 accepts five parts of a union
  return sql`select * from (${sql.join([emails, ...names], sql` union `)})
    union select * from (${containing(projectId, search, when)})`;
}

function containing(projectId: string | SQL, search: string, when: SQL): SQL {
  // a limit of 0 reads nothing, unlike a condition
  const most = sql`coalesce((select iif(subscribers_active + subscribers_pending + subscribers_unsubscribed
    <= ${MOST_READ}, ${MOST_FOUND}, 0) from project_counters where project_id = ${projectId}), 0)`;
  const inName = textForms(search).map((form) => sql`instr(lower(name), ${form})`);
  return sql`select * from (select id from subscribers indexed by subscribers_by_email
      where project_id = ${projectId} and instr(email, ${search.toLowerCase()}) and ${when}
      order by email limit ${most})
    union select * from (select id from subscribers indexed by subscribers_by_name
      where project_id = ${projectId} and name <> '' and (${sql.join(inName, sql` or `)}) and ${when}
      order by name limit ${most})`;
}

const beginsWith = (column: SQL, text: string): SQL =>
  sql`${column} >= ${text} and ${column} < ${text + GREATEST}`;
