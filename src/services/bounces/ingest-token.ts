import type { Deps } from "../../deps.ts";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import { secretsEqual, sha256Hex } from "../../lib/hash.ts";
import { randomToken } from "../../lib/random-token.ts";
import { seal, unseal } from "../../lib/seal.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { insertToken, replaceToken, selectToken, type TokenRow } from "./queries.ts";

const sealContext = (projectId: string) => `project:${projectId}:bounce_token`;

/** The URL to which a provider posts a project's bounces. It contains the token. */
export interface IngestUrl {
  url: string;
  /** Milliseconds. */
  rotatedAt: number;
}

/**
 * Returns the ingest URL. The first call creates the token. `tokens` is the result of
 * `selectToken`. The route checks `projects:write`, since the URL contains the token.
 */
export async function readIngestUrl(
  ctx: Ctx,
  project: ProjectRow,
  tokens: TokenRow[],
): Promise<IngestUrl> {
  const { deps } = ctx;
  const [stored] = tokens;
  if (stored) return ingestUrlOf(deps, stored);
  const [, rows] = await runBatch(deps.db, [
    insertToken(deps.db, await newToken(deps, project.id)),
    selectToken(deps.db, project.id),
  ]);
  return ingestUrlOf(deps, firstToken(rows));
}

/** Creates a new token and invalidates the old one. The route checks `projects:write`. */
export async function rotateIngestToken(ctx: Ctx, project: ProjectRow): Promise<IngestUrl> {
  const { deps } = ctx;
  const [, , rows] = await runBatch(deps.db, [
    replaceToken(deps.db, await newToken(deps, project.id)),
    auditStatement(ctx, {
      scopeId: project.id,
      action: "bounce_token.rotate",
    }),
    selectToken(deps.db, project.id),
  ]);
  return ingestUrlOf(deps, firstToken(rows));
}

/**
 * Throws invalid_ingest_token unless the token belongs to the project whose row is given. An unknown
 * project and a project without a token get the same error. Compares hashes in constant time.
 */
export function requireIngestToken([stored]: TokenRow[], token: string): void {
  const isRight = secretsEqual(sha256Hex(token), stored?.tokenHash ?? "");
  if (!isRight) throw refusal("invalid_ingest_token", {});
}

async function newToken({ config, now }: Deps, projectId: string): Promise<TokenRow> {
  const token = randomToken();
  return {
    projectId,
    tokenHash: sha256Hex(token),
    tokenSealed: await seal(config.sealingKeys, token, sealContext(projectId)),
    rotatedAt: now(),
  };
}

async function ingestUrlOf({ config }: Deps, row: TokenRow): Promise<IngestUrl> {
  const { projectId, tokenSealed, rotatedAt } = row;
  const token = await unseal(config.sealingKeys, tokenSealed, sealContext(projectId));
  return { url: `${config.baseUrl}/webhooks/bounces/${projectId}?token=${token}`, rotatedAt };
}

function firstToken(rows: TokenRow[]): TokenRow {
  const [token] = rows;
  if (!token) throw notFound("project"); // deleted concurrently
  return token;
}
