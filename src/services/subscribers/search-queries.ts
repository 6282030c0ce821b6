import { sql, type SQL } from "drizzle-orm";

/**
 * The maximum number of subscribers that a search finds by email, and by each spelling of a name.
 */
const MOST_FOUND = 1_000;

/**
 * The greatest character. No text with a prefix sorts after the prefix followed by this character.
 */
const GREATEST = "\u{10ffff}";

/**
 * Returns the query of the ids of subscribers whose email or name starts with a text. Scans the
 * indexes of emails and names, and reads at most 1,000 entries of each for which `when` holds.
 * Emails are in lower case. A name may start with the text as given, in lower or upper case, or
 * capitalized.
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
  return sql.join([emails, ...names], sql` union `);
}

const beginsWith = (column: SQL, text: string): SQL =>
  sql`${column} >= ${text} and ${column} < ${text + GREATEST}`;
