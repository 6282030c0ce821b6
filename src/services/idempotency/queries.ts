import { and, eq, isNull, lte } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { idempotentResponses } from "../../db/schema/index.ts";

/** A key within its scope. */
export interface Place {
  scope: string;
  key: string;
}

const isAt = ({ scope, key }: Place) =>
  and(eq(idempotentResponses.scope, scope), eq(idempotentResponses.key, key));

const isUnanswered = (place: Place) => and(isAt(place), isNull(idempotentResponses.answerSealed));

/** Claims a key that is new, or whose first response has expired; returns a row on success. */
export function claimKey(
  db: Database,
  { scope, key }: Place,
  claim: { requestHash: string; claimedUntil: number; createdAt: number },
  forgottenBefore: number,
) {
  return db
    .insert(idempotentResponses)
    .values({ scope, key, ...claim, answerSealed: null })
    .onConflictDoUpdate({
      target: [idempotentResponses.scope, idempotentResponses.key],
      set: { ...claim, answerSealed: null },
      setWhere: lte(idempotentResponses.createdAt, forgottenBefore),
    })
    .returning({ key: idempotentResponses.key });
}

export function selectKept(db: Database, place: Place) {
  return db.select().from(idempotentResponses).where(isAt(place));
}

/** Renews the claim of a request in progress. */
export function renewKey(db: Database, place: Place, claimedUntil: number) {
  return db.update(idempotentResponses).set({ claimedUntil }).where(isUnanswered(place));
}

export function keepAnswer(db: Database, place: Place, answerSealed: string) {
  return db.update(idempotentResponses).set({ answerSealed }).where(isAt(place));
}

export function releaseKey(db: Database, place: Place) {
  return db.delete(idempotentResponses).where(isUnanswered(place));
}

/** Deletes responses from before a time. Runs every night. */
export function deleteOldAnswers(db: Database, before: number) {
  return db.delete(idempotentResponses).where(lte(idempotentResponses.createdAt, before));
}
