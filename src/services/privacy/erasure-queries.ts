import { and, eq, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { erasedAddresses } from "../../db/schema/index.ts";

export type ErasureRow = typeof erasedAddresses.$inferSelect;

/** Stores an erased address with its work. A running erasure restarts. */
export function insertErasure(db: Database, row: ErasureRow) {
  const { workSealed, position, dueAt } = row;
  return db
    .insert(erasedAddresses)
    .values(row)
    .onConflictDoUpdate({
      target: [erasedAddresses.projectId, erasedAddresses.hash],
      set: { workSealed, position, dueAt },
    });
}

type Key = Pick<ErasureRow, "projectId" | "hash">;

/** Selects the work of an erasure, null once it is done: at most one row. */
export function selectWork(db: Database, { projectId, hash }: Key) {
  return db
    .select({ workSealed: erasedAddresses.workSealed })
    .from(erasedAddresses)
    .where(and(eq(erasedAddresses.projectId, projectId), eq(erasedAddresses.hash, hash)));
}

/** Aborts the whole batch, through a null project id, if the work of an erasure has changed. */
export function requireWork(db: Database, { projectId, hash }: Key, known: string | null) {
  return db.run(
    sql`insert into erased_addresses (project_id) select null from erased_addresses
      where project_id = ${projectId} and hash = ${hash} and work_sealed is not ${known}`,
  );
}

/** Selects due erasures round-robin: the oldest of each project first, then the next of each. */
export function selectDueErasures(db: Database, now: number, limit: number) {
  const { projectId, dueAt } = erasedAddresses;
  const turn = sql`row_number() over (partition by ${projectId} order by ${dueAt})`;
  return db
    .select()
    .from(erasedAddresses)
    .where(and(isNotNull(erasedAddresses.dueAt), lte(erasedAddresses.dueAt, now)))
    .orderBy(turn, dueAt)
    .limit(limit);
}

const isAt = ({ projectId, hash, position }: ErasureRow) =>
  and(
    eq(erasedAddresses.projectId, projectId),
    eq(erasedAddresses.hash, hash),
    eq(erasedAddresses.position, position ?? ""),
  );

/**
 * Advances an erasure if its cursor is still that of `row`, so two workers never do a step twice.
 * Without a next cursor it is done, and the row keeps only the hash. Returns the row on success.
 */
export function moveErasure(
  db: Database,
  row: ErasureRow,
  next: { position: string; dueAt: number } | undefined,
) {
  return db
    .update(erasedAddresses)
    .set(next ?? { position: null, dueAt: null, workSealed: null })
    .where(isAt(row))
    .returning();
}

/** Delays an unfinished erasure, whatever its stage. */
export function postponeErasure(db: Database, { projectId, hash }: ErasureRow, dueAt: number) {
  return db
    .update(erasedAddresses)
    .set({ dueAt })
    .where(
      and(
        eq(erasedAddresses.projectId, projectId),
        eq(erasedAddresses.hash, hash),
        isNotNull(erasedAddresses.dueAt),
      ),
    );
}

/** Counts the erased addresses of a project, and those whose erasure is running. */
export function countErasures(db: Database, projectId: string) {
  return db.all<{ total: number; running: number }>(
    sql`select count(*) as total, count(due_at) as running from erased_addresses where project_id = ${projectId}`,
  );
}

/** Deletes the hash of an address if its erasure is done; returns a row on success. */
export function deleteErasure(db: Database, projectId: string, isIt: SQL) {
  return db.all<{ hash: string }>(
    sql`delete from erased_addresses where project_id = ${projectId} and ${isIt} and due_at is null
      returning hash`,
  );
}
