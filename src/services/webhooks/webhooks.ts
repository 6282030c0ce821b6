import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { changedMeanwhile, invalidField, notFound, refusal } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { toHex } from "../../lib/encoding.ts";
import type { Page } from "../../lib/page.ts";
import { seal } from "../../lib/seal.ts";
import { checkUrl } from "../../mail/net/host-guard.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import type { SUBSCRIBABLE_EVENTS } from "./emit-events.ts";
import {
  deleteWebhookRow,
  differsFrom,
  insertWebhook,
  purgeStep,
  selectWebhook,
  selectWebhooks,
  updateWebhook,
  webhookIs,
  webhookState,
  type WebhookRow,
} from "./queries.ts";
import { secretContext } from "./sign.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

export interface WebhookInput {
  /** An absolute http or https URL of at most 2,048 characters. */
  url: string;
  /** The subscribed event types; an empty list means all. */
  events: (typeof SUBSCRIBABLE_EVENTS)[number][];
  format: WebhookRow["format"];
}

/** New values of a webhook. Undefined fields stay unchanged. */
export interface WebhookEdit {
  active?: boolean;
  url?: WebhookInput["url"];
  events?: WebhookInput["events"];
}

/**
 * The maximum number of webhooks per project; our own limit. Each adds a delivery to every event.
 */
export const MAX_WEBHOOKS = 20;

const SECRET_BYTES = 32;

/**
 * Creates a webhook. Returns its row with the secret that signs its deliveries (64 hexadecimal
 * digits of 256 random bits). No later response contains the secret. The route checks
 * `webhooks:write` and the license. Throws 400 for a private or malformed URL, and 409 if the
 * project has 20 webhooks.
 */
export async function createWebhook(
  ctx: Ctx,
  project: ProjectRow,
  { url, events, format }: WebhookInput,
): Promise<{ row: WebhookRow; secret: string }> {
  const { db, config, newId, now } = ctx.deps;
  const host = requireHost(ctx.deps, url);
  const id = newId();
  const secret = toHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const webhook = {
    id,
    projectId: project.id,
    url,
    host,
    secretSealed: await seal(config.sealingKeys, secret, secretContext(id)),
    events: [...new Set(events)],
    createdAt: now(),
    format,
  };
  const fact = {
    scopeId: project.id,
    action: "webhook.create",
    targetId: id,
    metadata: { host },
  } as const;
  const [, , rows, projects] = await runBatch(db, [
    insertWebhook(db, webhook, MAX_WEBHOOKS),
    auditStatement(ctx, fact, webhookIs(project.id, id)),
    selectWebhook(db, project.id, id),
    db.all(sql`select 1 from projects where id = ${project.id}`),
  ]);
  const [row] = rows;
  if (row) return { row, secret };
  if (projects.length === 0) throw notFound("project");
  throw refusal("too_many_webhooks", { max: MAX_WEBHOOKS });
}

/** Returns host and port in canonical form: "example.com" and "example.com." are one endpoint. */
function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return hostname.replace(/\.$/, "") + (port === "" ? "" : `:${port}`);
}

/** Returns a page of the project's webhooks, newest first. */
export async function listWebhooks(
  ctx: Ctx,
  project: ProjectRow,
  page: Page,
): Promise<WebhookRow[]> {
  return selectWebhooks(ctx.deps.db, project.id, page);
}

/** Returns one webhook of the project. Throws not_found. */
export async function getWebhook(ctx: Ctx, project: ProjectRow, id: string): Promise<WebhookRow> {
  return firstWebhook(await selectWebhook(ctx.deps.db, project.id, id));
}

/**
 * Pauses or resumes a webhook (API reference §6.5), and changes its URL and events. Equal values
 * change nothing. The dispatcher then fails the pending deliveries of a paused webhook. If the URL
 * changes, pending deliveries are sent to the new one, signed with the same secret. The route
 * checks `webhooks:write`. Throws not_found, 400 for a private or malformed URL, and
 * precondition_failed if the webhook has changed since `before` (undefined accepts any state).
 */
export async function editWebhook(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  { url, events, ...edit }: WebhookEdit,
  before?: WebhookRow,
): Promise<WebhookRow> {
  const { deps } = ctx;
  const change = {
    ...edit,
    ...(url === undefined ? {} : { url, host: requireHost(deps, url) }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
  };
  const { url: _url, ...told } = change; // record at most the host of a URL
  const fact = {
    scopeId: project.id,
    action: "webhook.update",
    targetId: id,
    metadata: told,
  } as const;
  const when = before
    ? sql`${differsFrom(change)} and not ${differsFrom(before)}`
    : differsFrom(change);
  const [, edited, rows] = await runBatch(deps.db, [
    auditStatement(ctx, fact, webhookIs(project.id, id, when)),
    updateWebhook(deps.db, project.id, id, change, when),
    selectWebhook(deps.db, project.id, id),
  ]);
  const row = firstWebhook(rows);
  if (before && edited.length === 0 && !isSame(row, before)) throw changedMeanwhile("webhook");
  if (edit.active === false) deps.waitUntil(wakeWebhooks(deps, [id]));
  return row;
}

const isSame = (one: WebhookRow, other: WebhookRow) =>
  JSON.stringify(webhookState(one)) === JSON.stringify(webhookState(other));

/** Returns the host of a URL that is allowed for webhooks. Throws 400 for any other URL. */
function requireHost({ config }: Ctx["deps"], url: string): string {
  const checked = checkUrl(url, { allowPrivate: config.allowPrivateTargets });
  if (!checked.ok) throw invalidField("url", faultOf("not_allowed", { reason: checked.reason }));
  return hostOf(checked.url);
}

/**
 * Deletes a webhook with its history. Requests and the dispatcher no longer find it. The minute
 * sweep deletes the rows beyond the first 500. The route checks `webhooks:write`. Throws not_found.
 */
export async function deleteWebhook(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db, now } = ctx.deps;
  const host = sql`json_object('host', (select host from webhooks where id = ${id}))`;
  const fact = {
    scopeId: project.id,
    action: "webhook.delete",
    targetId: id,
    metadata: host,
  } as const;
  const [, , deleted] = await runBatch(db, [
    auditStatement(ctx, fact, webhookIs(project.id, id)),
    ...deleteWebhookRow(db, project.id, id, now()),
    ...purgeStep(db, id),
  ]);
  if (deleted.length === 0) throw notFound("webhook");
}

/** Returns the row of a lookup. Throws not_found if there is none. */
export function firstWebhook(rows: WebhookRow[]): WebhookRow {
  const [webhook] = rows;
  if (!webhook) throw notFound("webhook");
  return webhook;
}
