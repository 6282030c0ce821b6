import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { optionalRead, runBatch, runBatchAfter } from "../../db/client.ts";
import { FIELDS, type SubscriberFields } from "../../db/subscriber-columns.ts";
import { AppError, notFound, refusal } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { pick } from "../../lib/pick.ts";
import type { ProjectRow } from "../access/index.ts";
import { audienceSettingsOf, projectExists, requireHuman, wakeForRuns } from "../projects/index.ts";
import {
  canJoin,
  joinAsNew,
  pathInTopics,
  requireKnown,
  selectUnknownOf,
  writeListConsent,
  type ChosenTopics,
  type ConsentAction,
  type ConsentProof,
} from "../topics/index.ts";
import { hasRoom, noteAdded, requireRoom, selectRoom } from "../storage/index.ts";
import { claimFirstJoin } from "./claim-join.ts";
import { joinAgain, type JoinAgain } from "./join-again.ts";
import { addPendingMail, type PendingConfirmation, type PendingTemplate } from "./pending-mails.ts";
import {
  insertSubscribers,
  removeSubscriber,
  selectSubscriber,
  type NewSubscriber,
  type SubscriberRow,
  type SubscriberStatus,
} from "./queries.ts";

/** Tags are sorted (lib/tag.ts). Broadcasts filter on `metadata.source` if it is a string. */
export interface SubscriberInput extends Partial<SubscriberFields> {
  email: EmailAddress;
  status: SubscriberStatus;
}

/** What is stored with a new subscriber. */
export interface Joining {
  /** A pending mail, which the queue sends. */
  mail?: PendingTemplate | PendingConfirmation | undefined;
  topics?: ChosenTopics | undefined;
  /** The first consent history entry. */
  consent?: { action: ConsentAction; proof: ConsentProof } | undefined;
  /** True for unauthenticated callers, to whom the daily limit of joins applies. */
  isPublic?: boolean;
}

/**
 * Adds one subscriber and everything that belongs to the join. The route checks
 * `subscribers:write`, or a key of the key-based API. Takes one D1 round trip. Throws 409 if the
 * project has the email, whatever its status, 400 for an unknown topic, unavailable while the
 * storage is full, and 403 while the workspace has used up its quota. Nothing changes then.
 */
export async function createSubscriber(
  ctx: Ctx,
  project: ProjectRow,
  input: SubscriberInput,
  { mail, topics, consent, isPublic = false }: Joining = {},
): Promise<SubscriberRow> {
  const { deps } = ctx;
  const { db, newId, now, config } = deps;
  const id = newId();
  const pending = mail && addPendingMail(deps, project.id, id, mail);
  const source = sourceOf(input.metadata ?? {});
  const names = topics?.names ?? [];
  const mayJoin = sql`${projectExists(project.id)} and ${canJoin(project.id, names, { isPublic })}
    and ${hasRoom(project.id, now(), config.workspaceStorageBytes)}`;
  const claim = isPublic ? claimFirstJoin(deps, project.id, input.email, mayJoin) : undefined;
  const when = claim?.isClaimed ?? mayJoin;
  const inserts = insertSubscribers(deps, project.id, [{ id, ...input, source }], now(), when);
  const added = sql`select id from subscribers where id = ${id}`;
  const [[subscriber], unknown, [storage]] = await runBatchAfter(
    db,
    [
      ...(claim ? [claim.statement] : []),
      ...inserts,
      ...(topics ? joinAsNew(deps, project.id, id, topics) : []),
      ...(consent
        ? [writeListConsent(deps, project.id, added, consent.action, consent.proof)]
        : []),
      ...(pending ? [pending.statement] : []),
      ...noteAdded(deps, project.id, [id]),
      wakeForRuns(deps, project.id, id),
    ],
    [
      selectSubscriber(db, project.id, id),
      optionalRead(topics, () => selectUnknownOf(db, project.id, names, { isPublic })),
      selectRoom(deps, project.id),
    ],
  );
  requireKnown(unknown, pathInTopics(names));
  if (!subscriber) {
    requireRoom(deps, storage);
    throw refusal("subscriber_exists", {});
  }
  return subscriber;
}

interface JoinOptions {
  turnstileToken?: string | undefined;
  /** Whether a known person is asked to confirm, and by which mail. The answer never reveals them. */
  again?: Pick<JoinAgain, "asks" | "mail">;
}

/**
 * Subscribes an address through a form, as `createSubscriber` does, or lets a known person join
 * again. Throws 409 if the address requests nothing new, unless `again` hides that. For
 * unauthenticated callers, throws the errors of `requireHuman`, and rate_limited once today's
 * unauthenticated joins are used up.
 */
export async function joinList(
  ctx: Ctx,
  project: ProjectRow,
  input: SubscriberInput,
  joining: Joining & { topics: ChosenTopics },
  { turnstileToken, again }: JoinOptions = {},
): Promise<void> {
  const { turnstileSecretSealed } = audienceSettingsOf(project);
  if (joining.isPublic) await requireHuman(ctx, project.id, turnstileSecretSealed, turnstileToken);
  try {
    await createSubscriber(ctx, project, input, joining);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 409) throw error;
    const { topics, mail, isPublic } = joining;
    const request = { ...topics, to: "active" as const, mail, isPublic, ...again };
    if (!(await joinAgain(ctx, project.id, input.email, request)) && !again) throw error;
  }
}

/** Returns the non-empty fields of an imported row, and the source in its metadata. */
export function filledFields(row: SubscriberFields): Partial<NewSubscriber> {
  const filled = FIELDS.filter((field) => !isBlank(row[field]));
  const source = filled.includes("metadata") && { source: sourceOf(row.metadata) };
  return { ...pick(row, filled), ...source };
}

const isBlank = (value: unknown) =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** Returns the source by which broadcasts filter a subscriber; "" if the metadata has none. */
export function sourceOf({ source }: Record<string, unknown>): string {
  return typeof source === "string" ? source : "";
}

/**
 * Deletes a subscriber. Log entries keep its id. The route authorizes the call. Throws not_found.
 */
export async function deleteSubscriber(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const [, , deleted] = await runBatch(db, removeSubscriber(db, project.id, id));
  if (deleted.length === 0) throw notFound("subscriber");
}
