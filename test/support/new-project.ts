/*
 * A project of its own for a test, with its SMTP settings and an API key, in one round trip. The
 * tests make more than a thousand, and three requests for each cost them 20 s of CPU.
 */
import type { Ctx } from "../../src/context.ts";
import { runBatch } from "../../src/db/client.ts";
import type { Deps } from "../../src/deps.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { randomToken } from "../../src/lib/random-token.ts";
import { usableByKey, type UserActor } from "../../src/services/access/index.ts";
import { auditStatement, type AuditAction } from "../../src/services/audit/index.ts";
import { insertKey } from "../../src/services/keys/queries.ts";
import { checkServer } from "../../src/services/projects/mail-servers.ts";
import {
  insertCounters,
  insertProject,
  workspaceToCreateIn,
} from "../../src/services/projects/queries.ts";

export interface ProjectOptions {
  smtpPort?: number;
  smtpPassword?: string;
  fromEmail?: string;
}

/**
 * Stores a project in the workspace of its owner; with `smtpPort` its SMTP settings lead to that test
 * server. Returns its id, and an `sk_` key with all capabilities.
 */
export async function storeProject(
  deps: Deps,
  actor: UserActor,
  { smtpPort, smtpPassword = "pass", fromEmail = "sender@postrider.test" }: ProjectOptions = {},
): Promise<{ id: string; key: string }> {
  const { db, newId, now } = deps;
  const ctx: Ctx = { deps, actor, requestId: newId(), clientIp: "", userAgent: "" };
  const id = newId();
  const at = now();
  const key = `sk_${randomToken()}`;
  const fact = (action: AuditAction, targetId = id) =>
    auditStatement(ctx, { scopeId: id, action, targetId });
  const settings = { host: "127.0.0.1", user: "user", password: smtpPassword };
  const server =
    smtpPort === undefined
      ? undefined
      : await checkServer(deps, id, "first", { ...settings, port: smtpPort });
  const keyId = newId();
  await runBatch(db, [
    insertProject(db, {
      id,
      workspaceId: workspaceToCreateIn(actor.userId, undefined),
      createdBy: actor.userId,
      name: "Test project",
      description: "",
      createdAt: at,
      updatedAt: at,
      ...(server && {
        smtpHost: server.host,
        smtpPort: server.port,
        smtpUser: server.user,
        smtpPasswordSealed: server.passwordSealed,
        fromName: "Sender",
        fromEmail,
      }),
    }),
    insertCounters(db, id),
    fact("project.create"),
    ...(server ? [fact("smtp.update")] : []),
    insertKey(db, {
      id: keyId,
      projectId: id,
      name: "Test key",
      type: "sk",
      keyHash: sha256Hex(key),
      prefix: key.slice(0, 9),
      capabilities: [...usableByKey("sk")],
      createdBy: actor.userId,
      rateLimitPerMinute: null,
      createdAt: at,
    }),
    fact("api_key.create", keyId),
  ]);
  return { id, key };
}
