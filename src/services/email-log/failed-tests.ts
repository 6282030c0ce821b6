import { sql, type SQL } from "drizzle-orm";
import type { LogEntry } from "./log-entry.ts";

/**
 * The tag of the mail of an SMTP test. The log keeps a test that fails, but no total counts it: it
 * says something about settings, not about the mail of the project.
 */
export const SMTP_TEST_TAG = "smtp_test";

/** Returns true for an entry that totals leave out. */
export const isFailedTest = ({ status, tags }: Pick<LogEntry, "status" | "tags">): boolean =>
  status !== "sent" && tags?.[SMTP_TEST_TAG] !== undefined;

/** Returns the same condition in SQL: `isSent` is SQL for an accepted mail, `tags` for its tags. */
export const failedTestSql = (isSent: SQL, tags: SQL): SQL =>
  sql`(not ${isSent} and coalesce(${tags} ->> ${sql.raw(`'$.${SMTP_TEST_TAG}'`)} is not null, 0))`;
