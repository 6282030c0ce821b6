import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { audienceSettingOf, projectExists, requireHuman, wakeForRuns } from "../projects/index.ts";
import { hasRoom, noteAdded, requireRoom, selectRoom } from "../storage/index.ts";
import {
  canJoin,
  joinAsNew,
  personProof,
  pathInTopics,
  requireKnown,
  selectUnknownOf,
  writeListConsent,
} from "../topics/index.ts";
import { claimFirstJoin } from "./claim-join.ts";
import { joinAgain } from "./join-again.ts";
import { addPendingMail } from "./pending-mails.ts";
import { insertSubscribers } from "./queries.ts";
import { selectWaitlist, templateIsUsable } from "./waitlist-queries.ts";

export interface WaitlistInput {
  projectId: string;
  email: EmailAddress;
  /** The template of the confirmation mail. Without a template, no mail is sent. */
  templateId: string | undefined;
  /** Topics by id or name. */
  topics: string[] | undefined;
  turnstileToken: string | undefined;
}

/**
 * Adds an email to a project's waitlist as `pending`, and stores the confirmation mail, which the
 * queue sends. With double opt-in, there always is such a mail. Anyone may call this. Takes one D1
 * round trip. If the project has a Turnstile secret key, a first round trip only reads, and a
 * second one writes once the token is `verifiedBy` this key. Throws not_found for an unknown
 * project, and for a template that is unknown or not available to unauthenticated callers. Throws
 * 400 for an unknown topic, unavailable while the storage is full, rate_limited once today's
 * unauthenticated joins are used up, 403 while the workspace has used up its quota, the errors of
 * `requireHuman`, and 409 for a known email that requests nothing new; with double opt-in the
 * response does not reveal which emails are known.
 */
export async function joinWaitlist(ctx: Ctx, input: WaitlistInput, verifiedBy = ""): Promise<void> {
  const { deps } = ctx;
  const { projectId, email, templateId = null, topics: names = [] } = input;
  const id = deps.newId();
  const row = { id, email, status: "pending" } as const;
  const mails = confirmationOf(deps, projectId, id, input.templateId);
  const mayJoin = sql`${projectExists(projectId)} and ${templateIsUsable(projectId, templateId)}
    and ${canJoin(projectId, names, { isPublic: true })}
    and ${hasRoom(projectId, deps.now(), deps.config.workspaceStorageBytes)}
    and ${audienceSettingOf(projectId, "turnstileSecretSealed")} = ${verifiedBy}`;
  const { statement: claim, isClaimed } = claimFirstJoin(deps, projectId, email, mayJoin);
  const [[found], unknown, [storage], claimed] = await runBatch(deps.db, [
    selectWaitlist(deps.db, projectId, templateId),
    selectUnknownOf(deps.db, projectId, names, { isPublic: true }),
    selectRoom(deps, projectId),
    claim,
    ...insertSubscribers(deps, projectId, [row], deps.now(), isClaimed),
    ...joinStatements(ctx, input, id),
    ...mails,
    ...noteAdded(deps, projectId, [id]),
    wakeForRuns(deps, projectId, id),
  ]);
  if (!found) throw notFound("project");
  if (!found.hasTemplate) throw notFound("template");
  requireKnown(unknown, pathInTopics(names));
  if (found.turnstileSecret !== verifiedBy) {
    await requireHuman(ctx, projectId, found.turnstileSecret, input.turnstileToken);
    return joinWaitlist(ctx, input, found.turnstileSecret);
  }
  if (claimed.meta.changes === 0) {
    requireRoom(deps, storage);
    const proof = personProof(ctx, "waitlist", audienceSettingOf(projectId, "formText"));
    const mail = mailOf(Boolean(found.asksToConfirm), input.templateId);
    const again = { names, proof, to: "pending", mail, isPublic: true } as const;
    const isNew = await joinAgain(ctx, projectId, email, again);
    if (isNew || found.asksToConfirm) return;
    throw refusal("already_on_waitlist", {});
  }
}

/**
 * Returns the statements that store the mail of a join; at most one of them applies. With double
 * opt-in, it is the confirmation mail, otherwise the one that the caller names, if any.
 */
function confirmationOf(
  deps: Deps,
  projectId: string,
  id: string,
  templateId: string | undefined,
): Statement[] {
  const asks = sql`${audienceSettingOf(projectId, "doubleOptIn")}`;
  const confirmation = { confirm: "none", id: templateId, isPublic: true } as const;
  const asking = addPendingMail(deps, projectId, id, confirmation, { when: asks });
  if (templateId === undefined) return [asking.statement];
  const plain = { id: templateId, isPublic: true };
  const named = addPendingMail(deps, projectId, id, plain, {
    id: asking.id,
    when: sql`not ${asks}`,
  });
  return [asking.statement, named.statement];
}

function mailOf(asks: boolean, id: string | undefined) {
  if (asks) return { confirm: "none", id, isPublic: true } as const;
  return id === undefined ? undefined : { id, isPublic: true };
}

/** Returns the statements that store topics and the first consent history entry. */
function joinStatements(ctx: Ctx, { projectId, topics: names }: WaitlistInput, id: string) {
  const { deps } = ctx;
  const proof = personProof(ctx, "waitlist", audienceSettingOf(projectId, "formText"));
  const action = sql`iif(${audienceSettingOf(projectId, "doubleOptIn")}, 'requested', 'subscribed')`;
  const added = sql`select id from subscribers where id = ${id}`;
  return [
    ...joinAsNew(deps, projectId, id, {
      names: names ?? [],
      isDefault: names === undefined,
      proof,
    }),
    writeListConsent(deps, projectId, added, action, proof),
  ];
}

/** Throws not_found unless the project exists. Used for requests that also have another error. */
export async function requireWaitlist(ctx: Ctx, projectId: string): Promise<void> {
  const [found] = await selectWaitlist(ctx.deps.db, projectId, null);
  if (!found) throw notFound("project");
}
