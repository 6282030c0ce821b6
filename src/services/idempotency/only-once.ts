import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { renewing } from "../../db/lease.ts";
import type { Deps } from "../../deps.ts";
import { AppError, refusal } from "../../errors.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { seal, unseal } from "../../lib/seal.ts";
import {
  claimKey,
  deleteOldAnswers,
  keepAnswer,
  releaseKey,
  renewKey,
  selectKept,
} from "./queries.ts";

/** The time for which a key returns its first answer (API reference §4.3). */
const KEPT_MS = DAY_MS;

/** The time after which a first request that has not renewed its claim counts as dead. */
const CLAIM_MS = 60_000;

/** The `Idempotency-Key` of a request and a hash of all its contents. */
export interface Idempotency {
  key: string;
  requestHash: string;
}

/**
 * Makes something at most once for an `Idempotency-Key` of an actor in a place: a project, a
 * workspace or an account. A repetition gets the first answer, which is JSON and is stored sealed,
 * because it may hold a new key. A refusal made nothing and is not kept. The work goes on after the
 * caller hangs up, because that caller will ask again. Costs two D1 round trips, and one more for
 * each renewal of the claim during slow work, such as a mail to a server that hangs. Throws
 * idempotency_key_reused for another request, first_request_running with Retry-After, and
 * first_outcome_unknown when the worker of the first died.
 */
export function onlyOnce<T>(
  ctx: Ctx,
  placeId: string,
  idempotency: Idempotency,
  make: () => Promise<T>,
): Promise<T> {
  const answering = recallOrMake(ctx, placeId, idempotency, make);
  ctx.deps.waitUntil(answering.catch(() => undefined));
  return answering;
}

async function recallOrMake<T>(
  ctx: Ctx,
  placeId: string,
  { key, requestHash }: Idempotency,
  make: () => Promise<T>,
): Promise<T> {
  const { deps } = ctx;
  const { db, config } = deps;
  const place = { scope: `${placeId}:${callerIdOf(ctx)}`, key };
  const context = `answer:${place.scope}:${key}`;
  const hashContext = `request:${place.scope}:${key}`;
  const now = deps.now();
  // A body may hold a password, which a reader of the database could find by a hash of the body.
  const sealedHash = await seal(config.sealingKeys, requestHash, hashContext);
  const claim = { requestHash: sealedHash, claimedUntil: now + CLAIM_MS, createdAt: now };
  const [claimed, [kept]] = await runBatch(db, [
    claimKey(db, place, claim, now - KEPT_MS),
    selectKept(db, place),
  ]);
  if (claimed.length === 0 && kept) {
    if ((await unseal(config.sealingKeys, kept.requestHash, hashContext)) !== requestHash)
      throw refusal("idempotency_key_reused", {});
    if (kept.answerSealed === null) throw unfinished(kept.claimedUntil - now);
    // `keep` sealed this JSON for the same request.
    return JSON.parse(await unseal(config.sealingKeys, kept.answerSealed, context)) as T;
  }
  const made = await renewing(
    CLAIM_MS,
    () => runBatch(db, [renewKey(db, place, deps.now() + CLAIM_MS)]),
    () => releasing(make, () => runBatch(db, [releaseKey(db, place)])),
  );
  try {
    const sealed = await seal(config.sealingKeys, JSON.stringify(made), context);
    await runBatch(db, [keepAnswer(db, place, sealed)]);
  } catch (error) {
    // The thing is made: the caller learns so, and a repetition learns that the outcome is unknown.
    logLine("error", "answer_not_kept", { requestId: ctx.requestId, error: errorText(error) });
  }
  return made;
}

/** Releases the key after a refusal. A fault may have made something, so its key stays claimed. */
async function releasing<T>(make: () => Promise<T>, release: () => Promise<unknown>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof AppError) await release();
    throw error;
  }
}

function unfinished(leftMs: number): AppError {
  if (leftMs <= 0) return refusal("first_outcome_unknown", {});
  return refusal("first_request_running", {}, { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
}

/** Returns the id of a caller: nobody gets the answer that somebody else got. */
export function callerIdOf({ actor }: Ctx): string {
  if (actor.kind === "user") return actor.userId;
  if (actor.kind === "project_key") return actor.keyId;
  throw new Error("an anonymous request has no Idempotency-Key");
}

/** Removes answers that a repetition may no longer get; runs every night. */
export async function forgetAnswers({ db, now }: Deps): Promise<void> {
  await runBatch(db, [deleteOldAnswers(db, now() - KEPT_MS)]);
}
