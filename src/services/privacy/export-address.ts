import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { readRun, selectRunsToExport, type ExportedRun } from "../automations/index.ts";
import {
  broadcastLogId,
  searchLog,
  selectLogKeys,
  selectRunMails,
  type VisitedEntry,
} from "../email-log/index.ts";
import { readEvent, selectEvents, type ListedEvent } from "../events/index.ts";
import {
  selectSubscriber,
  selectSubscriberByEmail,
  type SubscriberRow,
} from "../subscribers/index.ts";
import { readConsents, type SubscriberConsents } from "../topics/index.ts";
import { selectSuppression, type SuppressionRow } from "../suppressions/index.ts";
import {
  readMails,
  readMoreClicks,
  type ClickedMail,
  type ClickPlace,
  type FoundMail,
  type MailPlace,
} from "./export-clicks.ts";

/** The cursor of an export: among its mails, or among the clicks of one. */
export type ExportPlace = MailPlace | ClickPlace;

/** Sorts after every id. */
const LAST_ID = "~";

/** A subscriber, or an address, with its consents if the caller has read them. */
export type ExportSubject =
  | { subscriberId: string }
  | { email: string; consents?: SubscriberConsents };

/** Temporary rejections by a mailbox, and a report held for manual review. */
interface Bounces {
  soft: { days: number; firstDay: number; lastDay: number } | undefined;
  unverified: { kind: string; reason: string; words: string; lastSeenAt: number } | undefined;
}

/** All data of a project about an address except its mails. */
interface AboutAddress extends Bounces {
  email: string;
  subscriber: SubscriberRow | undefined;
  consents: SubscriberConsents | undefined;
  suppression: SuppressionRow | undefined;
  /** The latest. */
  events: ListedEvent[];
  /** The newest. */
  runs: ExportedRun[];
}

export interface AddressExport {
  /** Only on the first page. */
  about: AboutAddress | undefined;
  /**
   * If the previous page ended within the clicks of a mail, that mail comes again with its next
   * clicks.
   */
  mails: ClickedMail[];
  next: ExportPlace | null;
}

/**
 * Returns a page of all data of a project about a subscriber or an address, newest mails first: up
 * to `limit` mails outside of broadcasts, or the mails of as many broadcasts. A page ends early
 * after a mail with more clicks than fit. A page about an address excludes mails to former
 * addresses of its subscriber. A page may be empty although another follows. It takes at most eight
 * D1 round trips, regardless of the size of the log. The first page is recorded in the audit trail,
 * without the address. The route authorizes the call. Throws not_found for an unknown subscriber.
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
  const isOfSubject = ({ toEmail }: VisitedEntry) => !("email" in whom) || toEmail === whom.email;
  if (after?.[0] === "clicks") {
    const { mails, left } = await readMoreClicks(db, project.id, after, isOfSubject);
    return { about, mails, next: left ?? after[3] };
  }
  const { found, next } =
    after?.[0] === "broadcast"
      ? await findInBroadcasts(db, project.id, subscriber, after[1], limit)
      : await findOthers(ctx, project, email, after, { limit, subscriber });
  const { mails, left } = await readMails(db, project.id, found, isOfSubject);
  return { about, mails, next: left ?? next };
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
  const targetId = subscriber?.id ?? "";
  const [[suppression], [soft], [unverified], events, runs] = await runBatch(db, [
    selectSuppression(db, projectId, email),
    db.all<NonNullable<Bounces["soft"]>>(
      sql`select days, first_day as "firstDay", last_day as "lastDay" from soft_bounces where ${isIt} and days > 0`,
    ),
    db.all<NonNullable<Bounces["unverified"]>>(
      sql`select kind, reason, words, last_seen_at as "lastSeenAt" from unverified_bounces where ${isIt}`,
    ),
    selectEvents(db, projectId, targetId, { limit: MOST_STEPS }),
    selectRunsToExport(db, projectId, targetId, MOST_STEPS),
    auditStatement(ctx, { scopeId: projectId, action: "subscriber.export", targetId }),
  ]);
  const consents =
    subscriber && (known ?? (await readConsents(ctx, project, subscriber.id, MOST_STEPS)));
  return {
    email,
    subscriber,
    consents,
    suppression,
    soft,
    unverified,
    events: events.map(readEvent),
    runs: runs.map(readRun),
  };
}

/**
 * The maximum number of events, of runs, and of history entries in an export: links in mails create
 * at most 100 of the entries, members the rest.
 */
const MOST_STEPS = 5_000;

/** The maximum clock skew between two Workers. */
const CLOCK_SKEW_MS = HOUR_MS;

/** Mails to export, and the cursor of the next ones. */
type Found = { found: FoundMail[]; next: MailPlace | null };

/** The newest mails of automations to a person that an export includes. */
const MAILS_OF_RUNS = 10_000;

/** Finds mails outside of broadcasts. */
async function findOthers(
  ctx: Ctx,
  project: ProjectRow,
  email: string,
  after: ["mail", number, string] | null,
  { limit, subscriber }: { limit: number; subscriber: SubscriberRow | undefined },
): Promise<Found> {
  const place = after && ([after[1], after[2]] as [number, string]);
  const ofRuns = subscriber
    ? await selectRunMails(
        ctx.deps.db,
        project.id,
        sql`select ${subscriber.id} as id`,
        MAILS_OF_RUNS,
      )
    : [];
  const recipient = { email, subscriberId: subscriber?.id, broadcasts: ofRuns };
  const { logs, next } = await searchLog(ctx, project, { after: place }, recipient, limit);
  const found = logs.map(({ id, sentAt }): FoundMail => ({ id, place: ["mail", sentAt, id] }));
  if (next) return { found, next: ["mail", ...next] };
  return { found, next: subscriber ? ["broadcast", LAST_ID] : null };
}

async function findInBroadcasts(
  db: Database,
  projectId: string,
  subscriber: SubscriberRow | undefined,
  beforeId: string,
  limit: number,
): Promise<Found> {
  if (!subscriber) return { found: [], next: null };
  const since = subscriber.createdAt - CLOCK_SKEW_MS;
  const keys = await selectLogKeys(db, projectId, limit, { beforeId, since });
  const last = keys.length === limit ? keys.at(-1) : undefined;
  return {
    found: keys.map((broadcast) => ({
      id: broadcastLogId(broadcast, subscriber.id),
      place: ["broadcast", broadcast.id],
    })),
    next: last ? ["broadcast", last.id] : null,
  };
}
