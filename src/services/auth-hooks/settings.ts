import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { HookService, HookTemplates } from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { invalidField, notFound } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { randomToken } from "../../lib/random-token.ts";
import { seal, unseal } from "../../lib/seal.ts";
import { isStripeSecret, keyOfSecret } from "../../mail/signed-webhook.ts";
import { faultOf } from "../../messages/faults.ts";
import type { Message } from "../../messages/message.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import {
  insertHook,
  selectHook,
  selectOwnTemplates,
  updateHook,
  type HookRow,
  type NewHook,
} from "./queries.ts";

const contextOf = (projectId: string, service: HookService, part: "token" | "secret") =>
  `project:${projectId}:${service}_hook_${part}`;

/** A hook as its settings show it. */
export interface AuthHook {
  /** Contains the token. */
  url: string;
  hasSecret: boolean;
  templates: HookTemplates;
  /** Milliseconds. */
  lastCalledAt: number | null;
  lastError: Message | null;
}

/**
 * Returns a hook of a project. The first call creates its token. `rows` are those of `selectHook`.
 * The route checks `projects:write`, since the URL contains the token.
 */
export async function readHook(
  { deps }: Ctx,
  project: ProjectRow,
  service: HookService,
  rows: HookRow[],
): Promise<AuthHook> {
  if (rows.length > 0) return hookOf(deps, rows);
  const [, made] = await runBatch(deps.db, [
    insertHook(deps.db, await newHook(deps, project.id, service), "keep"),
    selectHook(deps.db, project.id, service),
  ]);
  return hookOf(deps, made);
}

/** A change of a hook; an undefined field keeps its value, and an empty secret closes the hook. */
export interface HookChange {
  secret?: string | undefined;
  /** Replaces all templates. */
  templates?: HookTemplates | undefined;
}

/**
 * Changes a hook. The route checks `projects:write`. Throws 400 for a secret that cannot verify a
 * signature, and for templates that the project does not have or the service does not use.
 */
export async function saveHook(
  ctx: Ctx,
  project: ProjectRow,
  service: HookService,
  { secret, templates }: HookChange,
): Promise<AuthHook> {
  const { deps } = ctx;
  const isUsable = service === "stripe" ? isStripeSecret : keyOfSecret;
  if (secret && !isUsable(secret)) throw invalidField("secret", faultOf("not_webhook_secret"));
  await requireTemplates(deps, project.id, service, templates ?? {});
  const context = contextOf(project.id, service, "secret");
  const secretSealed = secret && (await seal(deps.config.sealingKeys, secret, context));
  const known = secret === undefined ? {} : { has_secret: secret !== "" };
  const [, , , rows] = await runBatch(deps.db, [
    insertHook(deps.db, await newHook(deps, project.id, service), "keep"),
    updateHook(deps.db, project.id, service, {
      ...(secretSealed === undefined ? {} : { secretSealed }),
      ...(templates && { templates }),
    }),
    auditStatement(ctx, {
      scopeId: project.id,
      action: "auth_hook.update",
      metadata: { service, ...known, ...templates },
    }),
    selectHook(deps.db, project.id, service),
  ]);
  return hookOf(deps, rows);
}

/** Creates a new token and invalidates the old one. The route checks `projects:write`. */
export async function rotateHook(
  ctx: Ctx,
  project: ProjectRow,
  service: HookService,
): Promise<AuthHook> {
  const { deps } = ctx;
  const [, , rows] = await runBatch(deps.db, [
    insertHook(deps.db, await newHook(deps, project.id, service), "replace"),
    auditStatement(ctx, {
      scopeId: project.id,
      action: "auth_hook.rotate",
      metadata: { service },
    }),
    selectHook(deps.db, project.id, service),
  ]);
  return hookOf(deps, rows);
}

/** Returns the secret of a hook; "" if it has none. */
export const secretOf = async ({ config }: Deps, { projectId, service, secretSealed }: HookRow) =>
  secretSealed && unseal(config.sealingKeys, secretSealed, contextOf(projectId, service, "secret"));

async function requireTemplates(
  { db }: Deps,
  projectId: string,
  service: HookService,
  templates: HookTemplates,
): Promise<void> {
  const named = Object.entries(templates);
  if (named.length === 0) return;
  if (service !== "supabase") throw invalidField("templates", faultOf("not_of_hook"));
  const ids = named.map(([, id]) => id);
  const [own] = await runBatch(db, [selectOwnTemplates(db, projectId, ids)]);
  const missing = named.find(([, id]) => !own.some((one) => one.id === id));
  if (missing) throw invalidField(`templates.${missing[0]}`, faultOf("not_project_template"));
}

async function newHook(deps: Deps, projectId: string, service: HookService): Promise<NewHook> {
  const token = randomToken();
  const context = contextOf(projectId, service, "token");
  const tokenSealed = await seal(deps.config.sealingKeys, token, context);
  return { projectId, service, tokenHash: sha256Hex(token), tokenSealed };
}

async function hookOf({ config }: Deps, [row]: HookRow[]): Promise<AuthHook> {
  if (!row) throw notFound("project"); // deleted concurrently
  const { projectId, service, tokenSealed, secretSealed, ...rest } = row;
  const context = contextOf(projectId, service, "token");
  const token = await unseal(config.sealingKeys, tokenSealed, context);
  const url = `${config.baseUrl}/hooks/${service}/${token}`;
  return { ...rest, url, hasSecret: secretSealed !== "" };
}
