import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  broadcastLogId,
  searchLog,
  selectKeptClicks,
  selectLogKeysBefore,
  selectShortenedLog,
  selectVisitedEntries,
  type KeptClick,
  type VisitedEntry,
} from "../email-log/index.ts";
import {
  selectSubscriber,
  selectSubscriberByEmail,
  type SubscriberRow,
} from "../subscribers/index.ts";
import { readConsents, type SubscriberConsents } from "../topics/index.ts";
import { selectSuppression, type SuppressionRow } from "../suppressions/index.ts";

/** The place of an export: in the mails outside of broadcasts, or before a broadcast. */
export type ExportPlace = ["mail", sentAt: number, id: string] | ["broadcast", beforeId: string];

/** A text after every id. */
const LAST_ID = "~";

/** A subscriber, or an address, with its consents where the caller has read them. */
export type ExportSubject =
  | { subscriberId: string }
  | { email: string; consents?: SubscriberConsents };

/** Refusals of a mailbox for now, and a report that waits for a person. */
interface Bounces {
  soft: { days: number; firstDay: number; lastDay: number } | undefined;
  unverified: { kind: string; reason: string; words: string; lastSeenAt: number } | undefined;
}

/** All that a project keeps about an address apart from its mails. */
interface AboutAddress extends Bounces {
  email: string;
  subscriber: SubscriberRow | undefined;
  consents: SubscriberConsents | undefined;
  suppression: SuppressionRow | undefined;
}

/** A page of an export. */
export interface AddressExport {
  /** On the first page alone. */
  about: AboutAddress | undefined;
  mails: (VisitedEntry & { clicks: KeptClick[] })[];
  next: ExportPlace | null;
}

/**
 * Returns a page of all that a project keeps about a subscriber or an address, newest mails first: up
 * to `limit` mails outside of broadcasts, or the mails of as many broadcasts. A page about an address
 * has no mail that went to an earlier address of its subscriber. A page may be empty although another
 * follows. It takes seven D1 round trips at the most, whatever the size of the log. The route
 * authorises the call. Throws not_found for an unknown subscriber.
 */
export async function exportAddress(
  ctx: Ctx,
  project: ProjectRow,
  whom: ExportSubject,
  { after, limit }: { after: ExportPlace | null; limit: number },
): Promise<AddressExport> {
  const { db } = ctx.deps;
  const [subscriber] = await ("email" in whom
    ? selectSubscriberByEmail(db, project.id, whom.email)
    : selectSubscriber(db, project.id, whom.subscriberId));
  const email = "email" in whom ? whom.email : subscriber?.email;
  if (email === undefined) throw notFound("subscriber");
  const consents = "email" in whom ? whom.consents : undefined;
  const about =
    after === null ? await readAbout(ctx, project, email, subscriber, consents) : undefined;
  const { ids, next } =
    after?.[0] === "broadcast"
      ? await idsOfBroadcasts(db, project.id, subscriber, after[1], limit)
      : await idsOfMails(ctx, project, email, after, { limit, subscriber });
  const [entries, clicks] = await runBatch(db, [
    selectVisitedEntries(db, project.id, ids),
    selectKeptClicks(db, ids),
  ]);
  const isOfSubject = ({ toEmail }: VisitedEntry) => !("email" in whom) || toEmail === whom.email;
  const mails = entries.filter(isOfSubject).map((entry) => ({
    ...entry,
    clicks: clicks.filter(({ logId }) => logId === entry.id),
  }));
  return { about, mails, next };
}

async function readAbout(
  ctx: Ctx,
  project: ProjectRow,
  email: string,
  subscriber: SubscriberRow | undefined,
  known: SubscriberConsents | undefined,
): Promise<AboutAddress> {
  const { db } = ctx.deps;
  const projectId = project.id;
  const isIt = sql`project_id = ${projectId} and email = ${email}`;
  const [[suppression], [soft], [unverified]] = await runBatch(db, [
    selectSuppression(db, projectId, email),
    db.all<NonNullable<Bounces["soft"]>>(
      sql`select days, first_day as "firstDay", last_day as "lastDay" from soft_bounces where ${isIt}`,
    ),
    db.all<NonNullable<Bounces["unverified"]>>(
      sql`select kind, reason, words, last_seen_at as "lastSeenAt" from unverified_bounces where ${isIt}`,
    ),
  ]);
  const consents =
    subscriber && (known ?? (await readConsents(ctx, project, subscriber.id, MOST_STEPS)));
  return { email, subscriber, consents, suppression, soft, unverified };
}

/** The most steps of a history in an export: links in mails keep 100 of them, members cause the rest. */
const MOST_STEPS = 5_000;

/** The most by which the clocks of two Workers may differ. */
const CLOCK_SKEW_MS = HOUR_MS;

/** A search without a condition. */
const ALL_MAILS = {
  status: undefined,
  from: undefined,
  to: undefined,
  subscriberId: undefined,
  templateId: undefined,
  broadcastId: undefined,
  reason: undefined,
  subject: undefined,
  tag: undefined,
  tagValue: undefined,
  visit: undefined,
  link: undefined,
};

type Ids = { ids: string[]; next: ExportPlace | null };

async function idsOfMails(
  ctx: Ctx,
  project: ProjectRow,
  email: string,
  after: ["mail", number, string] | null,
  { limit, subscriber }: { limit: number; subscriber: SubscriberRow | undefined },
): Promise<Ids> {
  const [shortened] = await selectShortenedLog(ctx.deps.db);
  const place = after && ([after[1], after[2]] as [number, string]);
  const recipient = { email, subscriberId: undefined, broadcasts: [] };
  const search = { ...ALL_MAILS, after: place };
  const found = await searchLog(ctx, project, search, recipient, limit, shortened);
  const ids = found.logs.map(({ id }) => id);
  if (found.next) return { ids, next: ["mail", ...found.next] };
  return { ids, next: subscriber ? ["broadcast", LAST_ID] : null };
}

async function idsOfBroadcasts(
  db: Database,
  projectId: string,
  subscriber: SubscriberRow | undefined,
  beforeId: string,
  limit: number,
): Promise<Ids> {
  if (!subscriber) return { ids: [], next: null };
  const since = subscriber.createdAt - CLOCK_SKEW_MS;
  const keys = await selectLogKeysBefore(db, projectId, { beforeId, since }, limit);
  const last = keys.length === limit ? keys.at(-1) : undefined;
  return {
    ids: keys.map((broadcast) => broadcastLogId(broadcast, subscriber.id)),
    next: last ? ["broadcast", last.id] : null,
  };
}
