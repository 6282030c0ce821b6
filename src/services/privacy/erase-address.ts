import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { isNotNullViolation } from "../../db/constraint-violation.ts";
import { invalidField, notFound, refusal } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import {
  removeByEmail,
  requireEmail,
  selectSubscriber,
  selectSubscriberByEmail,
} from "../subscribers/index.ts";
import { forgetAddress, hashesOf, hashList } from "../suppressions/index.ts";
import { openWork, sealWork, type ErasurePlace } from "./erasure-place.ts";
import {
  deleteErasure,
  insertErasure,
  requireWork,
  selectWork,
  type ErasureRow,
} from "./erasure-queries.ts";
import { tryErasure } from "./continue-erasures.ts";

/** The number of erasure steps run within the request; the minute sweep runs the others. */
const STEPS_AT_ONCE = 12;

/** The number of attempts if the subscriber's email changes concurrently. */
const TRIES = 5;

type Whom = { subscriberId: string } | { email: EmailAddress };

/**
 * Erases a person from a project: a subscriber by id, or the owner of an address. One atomic batch
 * deletes the subscriber with their consents, pending mails and suppressions, and stores the hash
 * that prevents the address from being mailed or stored again. The log, deliveries and batches
 * follow in bounded steps that survive a crash. The route checks `subscribers:write`. Throws
 * not_found for an unknown subscriber, and 409 for one whose email keeps changing.
 */
export async function eraseAddress(ctx: Ctx, project: ProjectRow, whom: Whom): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const row = await beginErasure(ctx, project, whom);
    if (row) return tryErasure(ctx.deps, row, STEPS_AT_ONCE);
  }
  throw refusal("email_kept_changing", {});
}

/**
 * Writes the first batch of an erasure and returns its row. A running erasure of the address
 * restarts and keeps the subscribers that it found. Returns undefined, without writing, if the
 * subscriber's email has changed, or the other erasure has just begun or ended.
 */
async function beginErasure(
  ctx: Ctx,
  project: ProjectRow,
  whom: Whom,
): Promise<ErasureRow | undefined> {
  const { db, config, now } = ctx.deps;
  const [subscriber] = await ("email" in whom
    ? selectSubscriberByEmail(db, project.id, whom.email)
    : selectSubscriber(db, project.id, whom.subscriberId));
  const email = "email" in whom ? whom.email : subscriber?.email;
  if (email === undefined) throw notFound("subscriber");
  const { hash } = hashesOf(config, email);
  const key = { projectId: project.id, hash };
  const [{ workSealed: known } = { workSealed: null }] = await selectWork(db, key);
  // Mails to former addresses of a running erasure's subscribers can be found only by these ids.
  const running = known === null ? [] : (await openWork(ctx.deps, key, known)).subscriberIds;
  const subscriberIds = [...new Set([...running, ...(subscriber ? [subscriber.id] : [])])];
  const place: ErasurePlace = { stage: "direct", round: 1, startedAt: now() };
  const row = {
    ...key,
    erasedAt: now(),
    workSealed: await sealWork(ctx.deps, key, { email, subscriberIds }),
    position: JSON.stringify(place),
    dueAt: now(),
  };
  const fact = {
    scopeId: project.id,
    action: "subscriber.erase",
    targetId: subscriber?.id ?? hash,
  } as const;
  const isBegun = await runBatch(db, [
    ...(subscriber ? [requireEmail(db, subscriber)] : []),
    requireWork(db, key, known),
    auditStatement(ctx, fact, projectExists(project.id)),
    insertErasure(db, row),
    ...removeByEmail(db, project.id, email),
    ...forgetAddress(db, project.id, email),
  ]).then(
    () => true,
    (error: unknown) => {
      if (CHANGED.some((column) => isNotNullViolation(error, column))) return false;
      throw error;
    },
  );
  return isBegun ? row : undefined;
}

/** The columns by which `requireEmail` and `requireWork` abort a batch. */
const CHANGED = ["subscribers.id", "erased_addresses.project_id"];

/**
 * Allows an erased address again, because its owner has given new consent. `consent` describes it
 * for the audit trail, which never contains the address. The route checks `suppressions:write`.
 * Throws not_found for an address that was not erased, and 409 while its erasure is running.
 */
export async function liftErasure(
  ctx: Ctx,
  project: ProjectRow,
  { email, consent }: { email: EmailAddress; consent: string },
): Promise<void> {
  const { db, config } = ctx.deps;
  if (consent.trim() === "") throw invalidField("consent", faultOf("required"));
  const { hash } = hashesOf(config, email);
  const isIt = sql`hash in (${hashList(config, email)})`;
  const isOver = sql`exists (select 1 from erased_addresses
    where project_id = ${project.id} and ${isIt} and due_at is null)`;
  const fact = {
    scopeId: project.id,
    action: "subscriber.erasure_lifted",
    targetId: hash,
    metadata: { consent },
  } as const;
  const [, lifted, left] = await runBatch(db, [
    auditStatement(ctx, fact, isOver),
    deleteErasure(db, project.id, isIt),
    db.all(sql`select 1 from erased_addresses where project_id = ${project.id} and ${isIt}`),
  ]);
  if (left.length > 0) throw refusal("erasure_running", {});
  if (lifted.length === 0) throw notFound("erased address");
}
