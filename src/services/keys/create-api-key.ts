import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { invalidField, refusal } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { randomToken } from "../../lib/random-token.ts";
import { TEST_PREFIX, usableByKey, type Capability, type ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { insertKey, type ApiKeyRow, type ListedKey } from "./queries.ts";

export interface ApiKeyInput {
  name: string;
  type: ApiKeyRow["type"];
  /** The key's own rate limit. Without one, the project's limits apply. */
  rateLimitPerMinute: number | null | undefined;
  /**
   * The capabilities of the key. By default, every capability that the creator holds and the key's
   * type can use.
   */
  capabilities: Capability[] | undefined;
  /** True for a test key, whose mails no server gets. */
  isTest: boolean;
  /** True for a key that begins with `re_`, as programs written for Resend expect. */
  isForResend: boolean;
}

/** The number of characters of the secret part shown in lists. */
const SHOWN_CHARACTERS = 6;

/**
 * Creates an API key and returns its row with the key itself, which the API shows only this once. A
 * key is `<type>_` (or `re_`) and 256 random bits in base62. It keeps its capabilities when its creator
 * changes role or leaves (decision D32). The route checks `api_keys:write`.
 * Throws 403 for a capability that the creator does not hold, then 400 for one that this type of
 * key cannot use.
 */
export async function createApiKey(
  ctx: Ctx,
  project: ProjectRow,
  input: ApiKeyInput,
  held: Capability[],
): Promise<{ row: ListedKey; key: string }> {
  const { db, newId, now } = ctx.deps;
  const { actor } = ctx;
  if (actor.kind !== "user") throw refusal("person_required", {});
  const capabilities = grantedTo(input, held);
  const prefix = input.isTest ? TEST_PREFIX : `${input.isForResend ? "re" : input.type}_`;
  const key = `${prefix}${randomToken()}`;
  const id = newId();
  const [[row]] = await runBatch(db, [
    insertKey(db, {
      id,
      projectId: project.id,
      name: input.name,
      type: input.type,
      keyHash: sha256Hex(key),
      prefix: key.slice(0, prefix.length + SHOWN_CHARACTERS),
      capabilities,
      createdBy: actor.userId,
      rateLimitPerMinute: input.rateLimitPerMinute ?? null,
      createdAt: now(),
    }),
    auditStatement(ctx, {
      scopeId: project.id,
      action: "api_key.create",
      targetId: id,
      metadata: {
        name: input.name,
        type: input.type,
        capabilities,
        ...(input.isTest && { test: true }),
      },
    }),
  ]);
  if (!row) throw new Error("the key was not stored");
  const creator = {
    createdByName: actor.name,
    createdByEmail: actor.email,
    createdByMember: 1,
  };
  return { row: { ...row, ...creator }, key };
}

/** Returns the capabilities of a new key, deduplicated, in the order of the matrix. */
function grantedTo(input: ApiKeyInput, held: Capability[]): Capability[] {
  const { type, capabilities: asked, isTest } = input;
  const usable = usableByKey(type, isTest);
  const notHeld = asked?.find((capability) => !held.includes(capability));
  if (notHeld) throw refusal("capability_not_held", { capability: notHeld });
  const useless = asked?.find((capability) => !usable.includes(capability));
  if (useless)
    throw invalidField(
      "capabilities",
      faultOf("unusable_capability", { type, capability: useless, usable: usable.join(", ") }),
    );
  return usable.filter((capability) => (asked ?? held).includes(capability));
}
