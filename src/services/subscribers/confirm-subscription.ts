import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { runBatchAfter, type Statement } from "../../db/client.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { audienceSettingOf, wakeForRuns } from "../projects/index.ts";
import { agreeToRequests, openRequests, personProof, trimHistory } from "../topics/index.ts";
import { addPendingMail, sendKeyOf, type PendingConfirmation } from "./pending-mails.ts";
import { changeStatus, ownSubscriber, selectSubscriber, type SubscriberRow } from "./queries.ts";
import { WELCOME_TEMPLATE, type Welcome } from "./welcome.ts";

/**
 * Changes a pending subscriber to `active`, subscribes it to the topics that the mail asked about,
 * and stores the proof of consent: the time, the origin, and the text shown with the form. Then
 * sends a welcome mail if one was requested. Idempotent: any other subscriber stays unchanged, as
 * does one who has unsubscribed since the mail. The link in the mail authorizes the call. Takes one
 * D1 round trip. Returns the current subscriber.
 */
export async function confirmSubscription(
  ctx: Ctx,
  { id, projectId, email }: SubscriberRow,
  { welcome, mailedAt }: { welcome: Welcome; mailedAt: number },
): Promise<SubscriberRow | undefined> {
  const { deps } = ctx;
  // If the address has changed since the caller read it, the wrong address would confirm.
  const when = sql`email = ${email} and coalesce(unsubscribed_at, 0) <= ${mailedAt}`;
  const isWaiting = sql`exists (select 1 from subscribers
    where id = ${id} and project_id = ${projectId} and status = 'pending' and ${when})`;
  const mail = addPendingMail(
    deps,
    projectId,
    id,
    { name: WELCOME_TEMPLATE, isPublic: welcome === "public", isConfirmed: true },
    { when: isWaiting },
  );
  const isActive = sql`exists (select 1 from subscribers
    where id = ${id} and project_id = ${projectId} and status = 'active' and ${when})`;
  // What the person confirms is the text next to the form that asked, of which the project has many.
  const asked = sql`coalesce((select form_text from consent_events where project_id = ${projectId}
    and subscriber_id = ${id} and action = 'requested' and topic_id is null order by id desc limit 1),
    ${audienceSettingOf(projectId, "formText")})`;
  const proof = personProof(ctx, "confirmation", asked);
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
      ...agreeToRequests(deps, { projectId, subscriberId: id, until: mailedAt }, proof, isActive),
      wakeForRuns(deps, projectId, id),
    ],
    [selectSubscriber(deps.db, projectId, id)],
  );
  return subscriber;
}

/**
 * The period in which a subscriber can request only one mail. The id of the mail is derived from
 * it.
 */
const ASKING_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Asks a subscriber for a confirmation. An unsubscribed one becomes `pending`, and the mail is
 * stored, at most one in ten minutes. The link in a mail authorizes the call. Returns
 * `asked_before` if the mail of this period was already stored.
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
    wakeForRuns(deps, projectId, id),
  ]);
}

/**
 * Sends the confirmation mail to a subscriber who is pending, or was asked about topics, at most
 * once in ten minutes. An unsubscribed one gets none and stays unsubscribed (decision D24).
 * `welcome` follows the confirmation. The link in a mail authorizes the call.
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
  const [stored, [waiting]] = await runBatchAfter(db, before, [
    mail.statement,
    db.all(sql`select 1 where ${canConfirm(projectId, { id, email }, deps.now())}`),
  ]);
  if (!waiting) return "not_pending";
  return stored.length > 0 ? "asked" : "asked_before";
}

/** Returns the SQL condition that a subscriber with this address has something to confirm. */
const canConfirm = (
  projectId: string,
  { id, email }: Pick<SubscriberRow, "id" | "email">,
  now: number,
) => sql`exists (select 1 from subscribers where ${ownSubscriber(projectId, id)} and email = ${email}
    and (status = 'pending' or status = 'active' and exists (${openRequests(projectId, id, now)})))`;

/** Returns true if a subscriber has anything to confirm. */
export async function mayConfirm(deps: Deps, subscriber: SubscriberRow): Promise<boolean> {
  const { db, now } = deps;
  const can = canConfirm(subscriber.projectId, subscriber, now());
  return (await db.all(sql`select 1 where ${can}`)).length > 0;
}

/**
 * Returns the mail that asks a subscriber for a confirmation, if one is needed. It has the same id
 * for ten minutes, and is not stored again after an attempt to send it, which may have rescheduled
 * it under another id.
 */
export function askingMail(
  deps: Deps,
  projectId: string,
  { id, email }: Pick<SubscriberRow, "id" | "email">,
  asking: Pick<PendingConfirmation, "confirm" | "id">,
  when: SQL = sql`true`,
) {
  const turn = Math.floor(deps.now() / ASKING_PAUSE_MS);
  const mailId = uuidOf(`${projectId} ${id} ${turn}`);
  const can = sql`${canConfirm(projectId, { id, email }, deps.now())} and ${when}`;
  const isTried = sql`exists (select 1 from send_operations
    where project_id = ${projectId} and idempotency_key = ${sendKeyOf(mailId)})`;
  return addPendingMail(
    deps,
    projectId,
    id,
    { ...asking, isPublic: true },
    { id: mailId, when: sql`${can} and not ${isTried}` },
  );
}

/** Returns an id in UUID form, derived deterministically from a text. */
const uuidOf = (text: string) =>
  sha256Hex(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

/** Makes an unsubscribed subscriber `active` again, in a project without double opt-in. */
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
