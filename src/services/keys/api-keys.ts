import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { randomToken } from "../../lib/random-token.ts";
import type { Page } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import {
  deleteKey,
  insertKey,
  keyExists,
  keyFacts,
  selectKeys,
  type ApiKeyRow,
} from "./queries.ts";

export interface ApiKeyInput {
  name: string;
  type: ApiKeyRow["type"];
  /** None: the limits of the project. */
  rateLimitPerMinute: number | null | undefined;
}

/** Characters of the secret part that lists show. */
const SHOWN_CHARACTERS = 6;

/**
 * Creates an API key and returns its row with the key itself, which is shown this once:
 * `<type>_` and 256 random bits in base62. Authorised by the route (`api_keys:write`).
 */
export async function createApiKey(
  ctx: Ctx,
  project: ProjectRow,
  input: ApiKeyInput,
): Promise<{ row: ApiKeyRow; key: string }> {
  const { db, newId, now } = ctx.app;
  const key = `${input.type}_${randomToken()}`;
  const id = newId();
  const [rows] = await runBatch(db, [
    insertKey(db, {
      id,
      projectId: project.id,
      name: input.name,
      type: input.type,
      keyHash: sha256Hex(key),
      prefix: key.slice(0, input.type.length + 1 + SHOWN_CHARACTERS),
      rateLimitPerMinute: input.rateLimitPerMinute ?? null,
      createdAt: now(),
    }),
    auditStatement(ctx, {
      scopeId: project.id,
      action: "api_key.create",
      targetType: "api_key",
      targetId: id,
      metadata: { name: input.name, type: input.type },
    }),
  ]);
  const [row] = rows as [ApiKeyRow];
  return { row, key };
}

/** A page of the project's keys, newest first. */
export async function listApiKeys(ctx: Ctx, project: ProjectRow, page: Page): Promise<ApiKeyRow[]> {
  return selectKeys(ctx.app.db, project.id, page);
}

/** Revokes a key: the next request with it is refused. Throws not_found. Authorised by the route. */
export async function revokeApiKey(ctx: Ctx, project: ProjectRow, keyId: string): Promise<void> {
  const { db } = ctx.app;
  const fact = {
    scopeId: project.id,
    action: "api_key.revoke",
    targetType: "api_key",
    targetId: keyId,
    metadata: keyFacts(keyId),
  } as const;
  const [, deleted] = await runBatch(db, [
    auditStatement(ctx, fact, keyExists(project.id, keyId)),
    deleteKey(db, project.id, keyId),
  ]);
  if ((deleted as unknown[]).length === 0) throw notFound("API key");
}
