import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { runBatch, runBatchAfter, type Statement } from "../../db/client.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { audienceSettingOf } from "../projects/index.ts";
import { personProof, trimHistory } from "../topics/index.ts";
import {
  addPendingMail,
  sendKeyOf,
  wakePendingMails,
  type PendingConfirmation,
} from "./pending-mails.ts";
import {
  changeStatus,
  selectSubscriber,
  selectSubscriberByEmail,
  type SubscriberRow,
} from "./queries.ts";
import { WELCOME_TEMPLATE, type Welcome } from "./welcome.ts";

/**
 * Makes a pending subscriber `active`, and keeps the proof: the time, the origin, and the text
 * beside the form. Then sends a welcome if one was requested. Any other subscriber stays unchanged,
 * so a repetition has no effect. A person who has left since the mail also stays unchanged. The
 * link in the mail authorises the call. Takes one D1 round trip. Returns the subscriber as it is
 * now.
 */
export async function confirmSubscription(
  ctx: Ctx,
  { id, projectId, email }: SubscriberRow,
  { welcome, mailedAt }: { welcome: Welcome; mailedAt: number },
): Promise<SubscriberRow | undefined> {
  const { deps } = ctx;
  // If the address has changed since the caller read it, it is not the address that confirms.
  const when = sql`email = ${email} and coalesce(unsubscribed_at, 0) <= ${mailedAt}`;
  const isWaiting = sql`exists (select 1 from subscribers
    where id = ${id} and project_id = ${projectId} and status = 'pending' and ${when})`;
  const mail = addPendingMail(
    deps,
    projectId,
    id,
    { name: WELCOME_TEMPLATE, isPublic: welcome === "public" },
    { when: isWaiting },
  );
  const proof = personProof(ctx, "confirmation", audienceSettingOf(projectId, "formText"));
  const change = {
    from: "pending",
    to: "active",
    when,
    event: "subscriber.confirmed",
    consent: { action: "confirmed", proof },
  } as const;
  const [[subscriber]] = await runBatchAfter(
    deps.db,
    [
      ...(welcome === "none" ? [] : [mail.statement]),
      ...changeStatus(deps, projectId, id, change, deps.now()),
    ],
    [selectSubscriber(deps.db, projectId, id)],
  );
  if (welcome !== "none") deps.waitUntil(wakePendingMails(deps, [mail.id]));
  return subscriber;
}

/**
 * The time in which one subscriber can request only one mail. The id of the mail follows from it.
 */
const ASKING_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Asks a subscriber for a confirmation. A subscriber who has left becomes `pending`, and the mail
 * is stored, at most one in ten minutes. The link in a mail authorises the call. Returns
 * `asked_before` if the mail of these ten minutes was stored before.
 */
export async function askForConfirmation(ctx: Ctx, subscriber: SubscriberRow): Promise<Asked> {
  const { deps } = ctx;
  const { id, projectId, email } = subscriber;
  const proof = personProof(ctx, "page", audienceSettingOf(projectId, "formText"));
  const consent = { action: "requested", proof } as const;
  const when = sql`email = ${email}`;
  const back = { from: "unsubscribed", to: "pending", when, consent } as const;
  return ask(deps, subscriber, "none", [
    ...changeStatus(deps, projectId, id, back, deps.now()),
    trimHistory(deps.db, projectId, id),
  ]);
}

/**
 * Mails a pending subscriber the confirmation once more, at most one in ten minutes. A subscriber
 * who has left stays so, and gets none (decision D185). `welcome` follows the confirmation. The
 * link in a mail authorises the call.
 */
export const askAgain = (
  { deps }: Ctx,
  subscriber: SubscriberRow,
  welcome: Welcome = "none",
): Promise<Asked> => ask(deps, subscriber, welcome, []);

type Asked = "asked" | "asked_before" | "not_pending";

async function ask(
  deps: Deps,
  { id, projectId, email }: SubscriberRow,
  welcome: Welcome,
  before: Statement[],
): Promise<Asked> {
  const { db } = deps;
  const mail = askingMail(deps, projectId, { id, email }, { confirm: welcome });
  const [stored, [subscriber]] = await runBatchAfter(db, before, [
    mail.statement,
    selectSubscriber(db, projectId, id),
  ]);
  deps.waitUntil(wakePendingMails(deps, [mail.id]));
  if (subscriber?.status !== "pending") return "not_pending";
  return stored.meta.changes > 0 ? "asked" : "asked_before";
}

/**
 * Sends the mail of a pending subscriber once more, at most one in ten minutes, because whoever
 * lost it joins again. An earlier join with a public key may have written the metadata, so the
 * welcome is a public one. Does nothing for an address in any other state. Takes two D1 round
 * trips.
 */
export async function remindPending(
  { deps }: Ctx,
  projectId: string,
  email: string,
  { confirm: welcome, id }: Pick<PendingConfirmation, "confirm" | "id">,
): Promise<void> {
  const [subscriber] = await selectSubscriberByEmail(deps.db, projectId, email);
  if (subscriber?.status !== "pending") return;
  const confirm = welcome === "none" ? "none" : "public";
  const mail = askingMail(deps, projectId, subscriber, { confirm, id });
  await runBatch(deps.db, [mail.statement]);
  deps.waitUntil(wakePendingMails(deps, [mail.id]));
}

/**
 * Returns the mail that asks a pending subscriber for a confirmation. It is the same mail for ten
 * minutes, also after an attempt at it: it may then wait for the next one under another id.
 */
function askingMail(
  deps: Deps,
  projectId: string,
  { id, email }: Pick<SubscriberRow, "id" | "email">,
  asking: Pick<PendingConfirmation, "confirm" | "id">,
) {
  const turn = Math.floor(deps.now() / ASKING_PAUSE_MS);
  const mailId = uuidOf(`${projectId} ${id} ${turn}`);
  const isPending = sql`exists (select 1 from subscribers where id = ${id} and status = 'pending' and email = ${email})`;
  const isTried = sql`exists (select 1 from send_operations
    where project_id = ${projectId} and idempotency_key = ${sendKeyOf(mailId)})`;
  return addPendingMail(
    deps,
    projectId,
    id,
    { ...asking, isPublic: true },
    { id: mailId, when: sql`${isPending} and not ${isTried}` },
  );
}

/** Returns an id in the form of a UUID. The same text always gives the same id. */
const uuidOf = (text: string) =>
  sha256Hex(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

/** Makes a subscriber who has left `active` again, in a project without double opt-in. */
export async function comeBack(
  ctx: Ctx,
  { id, projectId, email }: SubscriberRow,
): Promise<SubscriberRow | undefined> {
  const { deps } = ctx;
  const proof = personProof(ctx, "page", audienceSettingOf(projectId, "formText"));
  const consent = { action: "subscribed", proof } as const;
  // The setting may have changed since the caller read it, and a required confirmation must never
  // be skipped.
  const when = sql`email = ${email} and not ${audienceSettingOf(projectId, "doubleOptIn")}`;
  const change = { from: "unsubscribed", to: "active", when, consent } as const;
  const [[subscriber]] = await runBatchAfter(
    deps.db,
    [...changeStatus(deps, projectId, id, change, deps.now()), trimHistory(deps.db, projectId, id)],
    [selectSubscriber(deps.db, projectId, id)],
  );
  return subscriber;
}
