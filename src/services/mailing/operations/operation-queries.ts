import { and, eq, lt, lte, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database } from "../../../db/client.ts";
import { hasEnded, hasToken, whileHeld, type Lease } from "../../../db/lease.ts";
import { sendOperations } from "../../../db/schema/index.ts";
import type { SuppressedAddress } from "../../suppressions/index.ts";

export type OperationRow = typeof sendOperations.$inferSelect;

/** Selects the operation of an Idempotency-Key: at most one row. */
export function selectOperationByKey(db: Database, projectId: string | SQL, key: string) {
  return db
    .select()
    .from(sendOperations)
    .where(and(eq(sendOperations.projectId, projectId), eq(sendOperations.idempotencyKey, key)));
}

/**
 * Inserts an operation. Returns no row if another request already holds the key. If the project was
 * deleted, the write fails on the null in `send_operations.project_id`.
 */
export function insertOperation(db: Database, operation: typeof sendOperations.$inferInsert) {
  const projectId = sql`(select id from projects where id = ${operation.projectId})`;
  return db
    .insert(sendOperations)
    .values({ ...operation, projectId })
    .onConflictDoNothing()
    .returning({ id: sendOperations.id });
}

/** Frees the key of a finished operation that began at `before` or earlier. */
export function deleteOldOperation(db: Database, projectId: string, key: string, before: number) {
  return db
    .delete(sendOperations)
    .where(
      and(
        eq(sendOperations.projectId, projectId),
        eq(sendOperations.idempotencyKey, key),
        lte(sendOperations.createdAt, before),
        eq(sendOperations.state, "done"),
      ),
    );
}

/** Takes over an operation whose worker died. Of any number of workers, exactly one gets a row. */
export function takeOverOperation(
  db: Database,
  { id: operationId, leaseToken }: OperationRow,
  lease: Lease,
  now: number,
) {
  const isAbandoned = and(
    isHeld({ operationId, leaseToken }),
    hasEnded(sendOperations.leaseUntil, now),
  );
  return db.update(sendOperations).set(lease).where(isAbandoned).returning();
}

/** Selects operations with an expired lease, oldest first. */
export function selectAbandoned(db: Database, now: number, limit: number) {
  return db
    .select()
    .from(sendOperations)
    .where(and(eq(sendOperations.state, "running"), lt(sendOperations.leaseUntil, now)))
    .orderBy(sendOperations.leaseUntil)
    .limit(limit);
}

/** The proof that a worker still holds an operation. */
export interface Claim {
  operationId: string;
  leaseToken: string;
}

/** Returns the condition on the operation's own row that the claim holds it. */
function isHeld({ operationId, leaseToken }: Claim) {
  return and(
    eq(sendOperations.id, operationId),
    hasToken(sendOperations.leaseToken, leaseToken),
    eq(sendOperations.state, "running"),
  );
}

/** Changes an operation if the claim still holds it. Returns a row on success. */
export function updateHeldOperation(
  db: Database,
  claim: Claim,
  change: Omit<SQLiteUpdateSetSource<typeof sendOperations>, "id">,
) {
  return db
    .update(sendOperations)
    .set(change)
    .where(isHeld(claim))
    .returning({ id: sendOperations.id });
}

/** Finishes an operation and stores its answer, which a repeated request gets again. */
export function finishOperation(db: Database, claim: Claim, result: OperationRow["result"]) {
  return updateHeldOperation(db, claim, { state: "done", inFlight: [], result });
}

/** Returns the SQL condition that the claim still holds its operation. */
export function operationHeld(claim: Claim): SQL {
  return whileHeld(sendOperations, isHeld(claim));
}

/** Returns the SQL condition that an operation with this id exists. */
export function operationExists(id: string): SQL {
  return sql`exists (select 1 from send_operations where id = ${id})`;
}

/** Deletes finished operations from before a given time. */
export function deleteOperationsBefore(db: Database, before: number, limit: number) {
  const old = sql`select id from send_operations where created_at < ${before} and state <> 'running' limit ${limit}`;
  return db.delete(sendOperations).where(sql`id in (${old})`);
}

/** Selects the subscriber's address if it is suppressed: at most one row. */
export function selectSubscriberSuppression(
  db: Database,
  projectId: string | SQL,
  subscriberId: string,
) {
  return db.all<SuppressedAddress>(
    sql`select email, 0 as erased from suppressions where project_id = ${projectId}
      and email = (select email from subscribers where id = ${subscriberId} and project_id = ${projectId})`,
  );
}
