import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../../deps.ts";
import type { Ctx } from "../../../context.ts";
import { runBatch, runBatchAfter, type Statement } from "../../../db/client.ts";
import { newLease } from "../../../db/lease.ts";
import { isNotNullViolation } from "../../../db/constraint-violation.ts";
import type { InFlight } from "../../../db/schema/index.ts";
import { notFound, refusal } from "../../../errors.ts";
import type { Idempotency } from "../../idempotency/index.ts";
import {
  deleteOldOperation,
  insertOperation,
  operationExists,
  takeOverOperation,
  type Claim,
  type OperationRow,
} from "./operation-queries.ts";

/** The time for which an Idempotency-Key returns its first answer. */
export const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000;

/** The time that a client should wait before it asks again for the outcome of a single send. */
const SEND_WAIT_MS = 2_000;

export type Recalled =
  | { kind: "new" }
  | { kind: "answered"; result: NonNullable<OperationRow["result"]> }
  | { kind: "abandoned"; claim: Claim; operation: OperationRow };

/**
 * Returns the recorded operation of an Idempotency-Key. `known` is the result of the request's
 * first read. Takes over an operation whose worker died and returns it as abandoned.
 * Throws idempotency_key_reused for another request, and first_request_running with Retry-After.
 */
export async function recallOperation(
  ctx: Ctx,
  idempotency: Idempotency | undefined,
  known: OperationRow | undefined,
): Promise<Recalled> {
  const { deps } = ctx;
  const now = deps.now();
  if (!idempotency || !known || isForgotten(known, now)) return { kind: "new" };
  if (known.requestHash !== idempotency.requestHash) throw refusal("idempotency_key_reused", {});
  if (known.state === "done") return { kind: "answered", result: known.result ?? {} };
  if (known.state === "running" && known.leaseUntil > now)
    throw stillRunning(known.kind, known.leaseUntil - now);
  const lease = newLease(deps);
  const [operation] = await takeOverOperation(deps.db, known, lease, now);
  if (!operation) throw stillRunning(known.kind, deps.config.leaseMs);
  return {
    kind: "abandoned",
    claim: { operationId: operation.id, leaseToken: lease.leaseToken },
    operation,
  };
}

function isForgotten(known: OperationRow, now: number): boolean {
  return known.state !== "running" && now - known.createdAt >= IDEMPOTENCY_LIFE_MS;
}

/**
 * Claims a send before its side effect, so a crash leaves a trace of the mail.
 * Throws first_request_running when another request claimed the key in the meantime, and not_found when the
 * project was deleted in the meantime.
 */
export async function beginOperation(
  ctx: Ctx,
  projectId: string,
  { key, requestHash }: Idempotency,
  mail: InFlight,
): Promise<Claim> {
  const { deps } = ctx;
  const now = deps.now();
  const lease = newLease(deps);
  const claim = { operationId: deps.newId(), leaseToken: lease.leaseToken };
  const insert = insertOperation(deps.db, {
    id: claim.operationId,
    projectId,
    kind: "send",
    idempotencyKey: key,
    requestHash,
    state: "running",
    ...lease,
    inFlight: [mail],
    createdAt: now,
  });
  const forget = deleteOldOperation(deps.db, projectId, key, now - IDEMPOTENCY_LIFE_MS);
  const [inserted] = await runInsert(deps, [forget], insert);
  if (inserted.length === 0) throw stillRunning("send", deps.config.leaseMs);
  return claim;
}

/** Statements that claim a key, and the condition for later writes of their batch. */
export interface KeyClaim {
  before: Statement[];
  when: SQL;
}

/**
 * Claims an Idempotency-Key, if there is one, for a batch or a scheduled mail. The operation has its
 * id. Another request that holds the key makes the condition false.
 */
export function claimKey(
  deps: Deps,
  stored: Pick<OperationRow, "id" | "projectId" | "kind"> & Partial<Pick<OperationRow, "result">>,
  idempotency: Idempotency | undefined,
): KeyClaim {
  if (!idempotency) return { before: [], when: sql`true` };
  const { key, requestHash } = idempotency;
  const now = deps.now();
  const lease = { leaseToken: "", leaseUntil: now };
  const operation = { ...stored, requestHash, state: "done" } as const;
  const before = [
    deleteOldOperation(deps.db, stored.projectId, key, now - IDEMPOTENCY_LIFE_MS),
    insertOperation(deps.db, {
      ...operation,
      ...lease,
      idempotencyKey: key,
      inFlight: [],
      createdAt: now,
    }),
  ];
  return { before, when: operationExists(stored.id) };
}

async function runInsert(
  deps: Deps,
  before: Statement[],
  insert: ReturnType<typeof insertOperation>,
) {
  try {
    return await runBatchAfter(deps.db, before, [insert]);
  } catch (error) {
    if (isNotNullViolation(error, "send_operations.project_id")) throw notFound("project");
    throw error;
  }
}

/**
 * Returns the refusal of a request that is still running. A single send ends in a moment unless
 * its worker died. A batch may take its whole lease.
 */
export function stillRunning(kind: OperationRow["kind"], leaseLeftMs: number) {
  const waitMs = kind === "send" ? Math.min(leaseLeftMs, SEND_WAIT_MS) : leaseLeftMs;
  return refusal("first_request_running", {}, { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
}

/**
 * Forgets the answer of a key whose mail a server has put off, so that the caller's next attempt
 * sends it.
 */
export async function forgetAttempt({ db, now }: Deps, projectId: string, key: string) {
  await runBatch(db, [deleteOldOperation(db, projectId, key, now())]);
}
