import { sql, type SQL } from "drizzle-orm";
import type { LogEntry } from "./log-entry.ts";

/**
 * The tag of the mail of an SMTP test. The log keeps a test that fails, but no total counts it: it
 * says something about settings, not about the mail of the project.
 */
export const SMTP_TEST_TAG = "smtp_test";

/** Returns true for an entry that totals leave out: a mail that no server got, or a failed test. */
export const isUncounted = ({
  status,
  tags,
  test,
}: Pick<LogEntry, "status" | "tags" | "test">): boolean =>
  test === 1 || (status !== "sent" && tags?.[SMTP_TEST_TAG] !== undefined);

/** Returns the same condition in SQL: `isSent` is SQL for an accepted mail, the others for columns. */
export const uncountedSql = (isSent: SQL, { tags, test }: Record<"tags" | "test", SQL>): SQL =>
  sql`(${test} is not null or (not ${isSent}
    and coalesce(${tags} ->> ${sql.raw(`'$.${SMTP_TEST_TAG}'`)} is not null, 0)))`;
