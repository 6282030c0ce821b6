import { and, or, sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatchAfter, type Database, type Statement } from "../../db/client.ts";
import { subscribers } from "../../db/schema/index.ts";
import {
  columnOf,
  shownAfter,
  storedValue,
  WRITTEN,
  type ColumnValues,
  type SubscriberFields,
} from "../../db/subscriber-columns.ts";
import { isNotNullViolation } from "../../db/constraint-violation.ts";
import { changedMeanwhile, notFound, refusal } from "../../errors.ts";
import { pick } from "../../lib/pick.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { wakeForRuns } from "../projects/index.ts";
import { noteStored, subscriberBytes } from "../storage/index.ts";
import { isErasedAddress } from "../suppressions/index.ts";
import { hasWebhooks } from "../webhooks/index.ts";
import { consentOf } from "./consent-of.ts";
import {
  changeStatus,
  ownSubscriber,
  selectSubscriber,
  type SubscriberRow,
  type SubscriberStatus,
} from "./queries.ts";
import { subscriberEvent } from "./subscriber-event.ts";
import { dropTags, indexTags } from "./tag-queries.ts";
import { sourceOf } from "./subscribers.ts";

/** New values of a subscriber. Undefined fields stay unchanged. Tags are sorted (lib/tag.ts). */
export type SubscriberEdit = {
  [Field in keyof SubscriberFields]?: SubscriberFields[Field] | undefined;
} & { email?: EmailAddress | undefined; status?: SubscriberStatus | undefined };

/**
 * Changes a subscriber in one batch. Equal values change nothing, not even `updated_at`.
 * `unsubscribed_at` is the last time at which the subscriber became unsubscribed, even while it is
 * active again. A new email keeps the status, so an edit cannot subscribe another person. It also
 * ends the undo of the unsubscribe page, because the former address has the link to that page.
 * The route checks `subscribers:write`. Throws not_found, precondition_failed if the subscriber has
 * changed since `before` (undefined accepts any state), and 409 if another subscriber has the email
 * or the email was erased. On any of these errors, nothing changes.
 */
export async function editSubscriber(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  edited: SubscriberEdit,
  before?: SubscriberRow,
): Promise<SubscriberRow> {
  const { email, metadata, tags, status } = edited;
  const { db } = ctx.deps;
  const now = ctx.deps.now();
  const other = sql`select 1 from subscribers
    where project_id = ${project.id} and email = ${email ?? null} and id <> ${id}`;
  const erased = email && isErasedAddress(ctx.deps.config, project.id, email);
  const isFree = sql`not exists (${other}) and not ${erased ?? sql`false`}`;
  const given = WRITTEN.filter((column) => column !== "status" && edited[column] !== undefined);
  const written = pick(edited, given);
  const values = {
    ...written,
    ...(email && { statusBefore: sql`iif(email <> ${email}, null, status_before)` }),
    ...(metadata && { source: sourceOf(metadata) }),
  };
  const differs = or(...given.map((column) => isNot(column, edited[column])));
  const size = sql`(select ${subscriberBytes()} from subscribers where ${ownSubscriber(project.id, id)})`;
  const edit = db
    .update(subscribers)
    .set({ ...values, updatedAt: now })
    .where(and(ownSubscriber(project.id, id), isFree, differs));
  const joins = status === "unsubscribed" ? undefined : status; // an unsubscribe has its own event
  const event = joins === undefined ? {} : { event: null };
  const changes = status
    ? changeStatus(
        ctx.deps,
        project.id,
        id,
        { to: status, when: isFree, consent: consentOf(ctx, status), ...event },
        now,
      )
    : [];
  const isNews = or(differs, joins === undefined ? undefined : sql`status <> ${joins}`);
  const told = isNews
    ? [
        updateEvent(
          ctx,
          project.id,
          sql`${ownSubscriber(project.id, id)} and ${isFree} and ${isNews}`,
          edited,
          now,
        ),
      ]
    : [];
  const own = sql`select id from subscribers
    where id = ${id} and +project_id = ${project.id} and ${isFree}`;
  const retagged = (statement: Statement) =>
    tags === undefined
      ? [statement]
      : [dropTags(db, project.id, own, tags), statement, indexTags(db, own)];
  const [[subscriber], taken] = await runBatchAfter(
    db,
    [
      ...(before ? [requireState(db, before)] : []),
      ...told,
      ...(differs
        ? [
            ...noteStored(ctx.deps, project.id, sql`-${size}`),
            ...retagged(edit),
            ...noteStored(ctx.deps, project.id, size),
          ]
        : []),
      ...changes,
      wakeForRuns(ctx.deps, project.id, id),
    ],
    [selectSubscriber(db, project.id, id), db.all(sql`select 1 where not (${isFree})`)],
  ).catch((error: unknown) => {
    if (isNotNullViolation(error, "subscribers.id")) throw changedMeanwhile("subscriber");
    throw error;
  });
  if (!subscriber) throw notFound("subscriber");
  if (taken.length > 0) throw refusal("subscriber_exists", {});
  return subscriber;
}

/** Returns the fields of a subscriber that callers can change. */
export const subscriberState = (row: SubscriberRow) => WRITTEN.map((column) => row[column]);

const isNot = (column: (typeof WRITTEN)[number], value: unknown) =>
  sql`${columnOf(column)} is not ${storedValue(column, value)}`;

/** Aborts the whole batch, through a null id, if the state of the subscriber has changed. */
function requireState(db: Database, known: SubscriberRow): Statement {
  const isChanged = or(...WRITTEN.map((column) => isNot(column, known[column])));
  return db.run(
    sql`insert into subscribers (id) select null from subscribers where id = ${known.id} and ${isChanged}`,
  );
}

/**
 * Notifies the project's webhooks of an edit of the subscriber that `which` selects. It must run
 * before the edit. An unsubscribe by the same edit has a separate event after it, so both contain
 * the new record.
 */
function updateEvent(
  { deps }: Ctx,
  projectId: string,
  which: SQL,
  edited: SubscriberEdit,
  now: number,
): Statement {
  const given = WRITTEN.filter((column) => edited[column] !== undefined);
  const after: ColumnValues = {
    ...Object.fromEntries(
      given.map((column) => [column, sql`${storedValue(column, edited[column])}`]),
    ),
    ...(edited.status === "unsubscribed" && {
      unsubscribedAt: sql`iif(status <> 'unsubscribed', ${now}, unsubscribed_at)`,
    }),
    updatedAt: sql`${now}`,
  };
  const changed = sql`select ${shownAfter(after)}, ${deps.newId()} as event_id
    from subscribers where ${which} and ${hasWebhooks(projectId)}`;
  return subscriberEvent(deps, projectId, "subscriber.updated", now, changed);
}
