import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { suppressions } from "../../db/schema/index.ts";

/** Which of these addresses are suppressed in the project: one indexed look-up each, in one statement. */
export function selectSuppressed(db: Database, projectId: string, emails: string[]) {
  return db
    .select({ email: suppressions.email })
    .from(suppressions)
    .where(and(eq(suppressions.projectId, projectId), isOneOf(emails)));
}

/** Moves `last_seen_at` of entries that a send attempt hit. */
export function touchSuppressions(db: Database, projectId: string, emails: string[], now: number) {
  return db
    .update(suppressions)
    .set({ lastSeenAt: now })
    .where(and(eq(suppressions.projectId, projectId), isOneOf(emails)));
}

function isOneOf(emails: string[]) {
  return sql`${suppressions.email} in (select value from json_each(${JSON.stringify(emails)}))`;
}
