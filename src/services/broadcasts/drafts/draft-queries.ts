import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database } from "../../../db/client.ts";
import { broadcasts } from "../../../db/schema/index.ts";
import { isOneOf, nextVersion } from "../../../db/version.ts";
import type { BroadcastRow } from "../queries.ts";

/** The states of a draft. It becomes a broadcast when sending begins. */
export type DraftState = Extract<BroadcastRow["state"], "draft" | "scheduled">;

export type NewDraft = typeof broadcasts.$inferInsert;

export const insertDraft = (db: Database, draft: NewDraft) => db.insert(broadcasts).values(draft);

/** Deletes a draft inserted in the same batch unless `when` is true. */
export const deleteDraftUnless = (db: Database, projectId: string, id: string, when: SQL) =>
  db.delete(broadcasts).where(and(ownDraft(projectId, id), sql`not (${when})`));

/**
 * The draft that a change expects: in one of these states, and in one of these versions if any are
 * given.
 */
export interface Expected {
  states: DraftState[];
  versions: number[] | undefined;
}

/**
 * Returns a condition for a batch: the project has this draft, in an expected state and version.
 */
export function draftIs(projectId: string, id: string, expected: Expected): SQL {
  return sql`exists (select 1 from ${broadcasts} where ${isExpected(projectId, id, expected)})`;
}

/**
 * Changes a draft that is as expected if `when` is true, and returns its row. `updated_at`
 * increases with every change, even within one millisecond, because it is the version.
 */
export function updateDraftRow(
  db: Database,
  { projectId, id }: Pick<BroadcastRow, "projectId" | "id">,
  expected: Expected,
  change: SQLiteUpdateSetSource<typeof broadcasts>,
  now: number,
  when?: SQL,
) {
  return db
    .update(broadcasts)
    .set({ waitingFor: null, ...change, updatedAt: nextVersion(now, broadcasts.updatedAt) })
    .where(and(isExpected(projectId, id, expected), when))
    .returning();
}

export function deleteDraftRow(db: Database, projectId: string, id: string, expected: Expected) {
  return db
    .delete(broadcasts)
    .where(isExpected(projectId, id, expected))
    .returning({ id: broadcasts.id });
}

const ownDraft = (projectId: string, id: string) =>
  and(eq(broadcasts.id, id), eq(broadcasts.projectId, projectId), eq(broadcasts.kind, "draft"));

const isExpected = (projectId: string, id: string, { states, versions }: Expected) =>
  and(
    ownDraft(projectId, id),
    inArray(broadcasts.state, states),
    isOneOf(versions, broadcasts.updatedAt),
  );
