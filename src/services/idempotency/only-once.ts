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

/** The time for which a key replays its first response (API reference §4.3). */
const KEPT_MS = DAY_MS;

/** The time after which a first request that has not renewed its claim counts as crashed. */
const CLAIM_MS = 60_000;

/** The `Idempotency-Key` of a request and a hash of all its contents. */
export interface Idempotency {
  key: string;
  requestHash: string;
}

/**
 * Runs `make` at most once per `Idempotency-Key` of an actor and scope: a project, workspace or
 * account. A repeated request gets the first response, stored as encrypted JSON because it may
 * contain a new key. A request that fails with a client error releases the key. The work continues
 * after the client disconnects, because the client will retry. Costs two D1 round trips, and one
 * more for each renewal of the claim during slow work, such as a mail to a hanging server. Throws
 * idempotency_key_reused for a different request, first_request_running with Retry-After, and
 * first_outcome_unknown if the first worker crashed.
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
  // The body may contain a password, which a plain hash would expose to brute force by a reader of
  // the database.
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
    // `keepAnswer` stored this JSON for the same request.
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
    // The work is done, so the caller gets the response; a repeated request gets
    // first_outcome_unknown.
    logLine("error", "answer_not_kept", { requestId: ctx.requestId, error: errorText(error) });
  }
  return made;
}

/**
 * Releases the key after a refusal. After any other error the work may be done, so the key stays
 * claimed.
 */
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

/** Returns the id of a caller, so that callers cannot see each other's responses. */
export function callerIdOf({ actor }: Ctx): string {
  if (actor.kind === "user") return actor.userId;
  if (actor.kind === "project_key") return actor.keyId;
  throw new Error("an anonymous request has no Idempotency-Key");
}

/** Deletes expired responses. Runs every night. */
export async function forgetAnswers({ db, now }: Deps): Promise<void> {
  await runBatch(db, [deleteOldAnswers(db, now() - KEPT_MS)]);
}
