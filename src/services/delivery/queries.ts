import { and, eq, inArray, lt, lte, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database } from "../../db/client.ts";
import { sendOperations } from "../../db/schema/index.ts";

export type OperationRow = typeof sendOperations.$inferSelect;

/** The operation of an Idempotency-Key: at most one row. */
export function selectOperationByKey(db: Database, projectId: string | SQL, key: string) {
  return db
    .select()
    .from(sendOperations)
    .where(and(eq(sendOperations.projectId, projectId), eq(sendOperations.idempotencyKey, key)));
}

/**
 * Starts an operation; no row comes back when another request holds the same key. For a project that
 * is gone the write fails on the null in `send_operations.project_id`.
 */
export function insertOperation(db: Database, operation: typeof sendOperations.$inferInsert) {
  const projectId = sql`(select id from projects where id = ${operation.projectId})`;
  return db
    .insert(sendOperations)
    .values({ ...operation, projectId })
    .onConflictDoNothing()
    .returning({ id: sendOperations.id });
}

/** Frees the key of an operation that began at `before` or earlier, and is over. */
export function deleteOldOperation(db: Database, projectId: string, key: string, before: number) {
  return db
    .delete(sendOperations)
    .where(
      and(
        eq(sendOperations.projectId, projectId),
        eq(sendOperations.idempotencyKey, key),
        lte(sendOperations.createdAt, before),
        inArray(sendOperations.state, ["done", "interrupted"]),
      ),
    );
}

/** Takes over an operation whose worker is gone; a row comes back for exactly one of many who try. */
export function takeOverOperation(
  db: Database,
  operation: OperationRow,
  change: { leaseToken: string; leaseUntil: number },
  now: number,
) {
  const abandoned = sql`(${sendOperations.state} = 'interrupted' or (${sendOperations.state} = 'running' and ${sendOperations.leaseUntil} <= ${now}))`;
  return db
    .update(sendOperations)
    .set({ ...change, state: "running" })
    .where(
      and(
        eq(sendOperations.id, operation.id),
        eq(sendOperations.leaseToken, operation.leaseToken),
        abandoned,
      ),
    )
    .returning();
}

/** Operations whose lease ran out, oldest first. */
export function selectAbandoned(db: Database, now: number, limit: number) {
  return db
    .select()
    .from(sendOperations)
    .where(and(eq(sendOperations.state, "running"), lt(sendOperations.leaseUntil, now)))
    .orderBy(sendOperations.leaseUntil)
    .limit(limit);
}

/** What a worker shows to prove that it still holds an operation. */
export interface Claim {
  operationId: string;
  leaseToken: string;
}

/** Changes an operation as long as the claim still holds it; a row comes back if it did. */
export function updateHeldOperation(
  db: Database,
  { operationId, leaseToken }: Claim,
  change: Omit<SQLiteUpdateSetSource<typeof sendOperations>, "id">,
) {
  return db
    .update(sendOperations)
    .set(change)
    .where(
      and(
        eq(sendOperations.id, operationId),
        eq(sendOperations.leaseToken, leaseToken),
        eq(sendOperations.state, "running"),
      ),
    )
    .returning({ id: sendOperations.id });
}

/** Ends an operation with its answer, which a repeated request is given again. */
export function finishOperation(db: Database, claim: Claim, result: OperationRow["result"]) {
  return updateHeldOperation(db, claim, { state: "done", inFlight: [], failures: null, result });
}

/** A condition for use in a batch: the claim still holds its operation. */
export function operationHeld({ operationId, leaseToken }: Claim): SQL {
  return sql`exists (select 1 from send_operations where id = ${operationId} and lease_token = ${leaseToken} and state = 'running')`;
}

/** Removes operations of an earlier day that are over. */
export function deleteOperationsBefore(db: Database, before: number, limit: number) {
  const old = sql`select id from send_operations where created_at < ${before} and state <> 'running' limit ${limit}`;
  return db.delete(sendOperations).where(sql`id in (${old})`);
}

/** The subscriber's address if it is suppressed: at most one row. */
export function selectSubscriberSuppression(
  db: Database,
  projectId: string | SQL,
  subscriberId: string,
) {
  return db.all<{ email: string }>(
    sql`select email from suppressions where project_id = ${projectId}
      and email = (select email from subscribers where id = ${subscriberId} and project_id = ${projectId})`,
  );
}
