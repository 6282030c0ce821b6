import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { BounceSettings } from "../../db/schema/index.ts";
import {
  broadcastLogId,
  selectLogKeys,
  selectMailsById,
  selectNewestMails,
  selectRecentMails,
  selectRunMails,
  type LoggedMail,
  type RecentMails,
} from "../email-log/index.ts";
import { bounceSettingsOf, selectBounceSettings } from "../projects/index.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import type { Claim, FoundMail } from "./claims.ts";
import { recentSince, selectDailyBound } from "./daily-bound.ts";
import { selectSubscribersByEmail } from "./queries.ts";

/** The number of newest broadcasts to search for the mail of a bounce without a Message-ID. */
const BROADCASTS_LOOKED_THROUGH = 20;

/**
 * The number of log ids in one statement. At 40 bytes each, its parameter stays far below D1's 2
 * MB.
 */
const IDS_PER_STATEMENT = 5_000;

/** The mails of some addresses, in their order, and the rules of their project. */
export interface FoundMails {
  settings: BounceSettings;
  /** The number of addresses that unproven reports may still suppress today. */
  allowance: number;
  mails: FoundMail[];
}

/**
 * Finds the mail of each claim that names none: the newest mail to its address that a server
 * accepted, otherwise the newest. Takes up to two D1 round trips for any number of claims.
 */
export async function findMails(
  deps: Deps,
  projectId: string,
  claims: Pick<Claim, "email">[],
): Promise<FoundMails> {
  if (claims.length === 0)
    return { settings: bounceSettingsOf(undefined), allowance: 0, mails: [] };
  const { db } = deps;
  const emails = [...new Set(claims.map(({ email }) => email))];
  const since = recentSince(deps);
  const theirs = sql`select id from subscribers
    where project_id = ${projectId} and email in (select value from json_each(${JSON.stringify(emails)}))`;
  const [[project], [bound], newest, recent, listed, subscribers, broadcasts, ofRuns] =
    await runBatch(db, [
      selectBounceSettings(db, projectId),
      selectDailyBound(deps, projectId),
      selectNewestMails(db, projectId, emails),
      selectRecentMails(db, projectId, emails, since),
      selectSuppressed(deps, projectId, emails),
      selectSubscribersByEmail(db, projectId, emails),
      selectLogKeys(db, projectId, BROADCASTS_LOOKED_THROUGH),
      selectRunMails(db, projectId, theirs, BROADCASTS_LOOKED_THROUGH * emails.length),
    ]);
  const ids = [
    ...broadcasts.flatMap((broadcast) =>
      subscribers.map(({ id }) => broadcastLogId(broadcast, id)),
    ),
    ...ofRuns.map((mail) => broadcastLogId(mail, mail.subscriberId, mail.page)),
  ];
  const ofBroadcasts = await findBroadcastMails(deps, projectId, ids);
  const newestOf = newestAccepted([...newest, ...ofBroadcasts]);
  const recents = recentAddresses(
    recent,
    ofBroadcasts.filter(({ sentAt }) => sentAt >= since),
  );
  const subscribed = new Set(subscribers.map(({ email }) => email));
  const suppressed = new Set(listed.map(({ email }) => email));
  const mails = claims.map(({ email }) => {
    const mail = newestOf.get(email);
    return {
      logId: mail?.id,
      sentAt: mail?.sentAt,
      isProven: false,
      isRecent: recents.has(email),
      isKnown: mail !== undefined || subscribed.has(email),
      isSuppressed: suppressed.has(email),
    };
  });
  return { settings: bounceSettingsOf(project), allowance: bound?.allowance ?? 0, mails };
}

/** Returns the addresses that were mailed recently and have neither opened nor clicked. */
function recentAddresses(direct: RecentMails[], ofBroadcasts: LoggedMail[]): Set<string> {
  const mailed = [
    ...direct.filter(({ isMailed }) => isMailed).map(({ email }) => email),
    ...ofBroadcasts.filter(({ isAccepted }) => isAccepted).map(({ toEmail }) => toEmail),
  ];
  const visited = new Set([
    ...direct.filter(({ isVisited }) => isVisited).map(({ email }) => email),
    ...ofBroadcasts.filter(({ isVisited }) => isVisited).map(({ toEmail }) => toEmail),
  ]);
  return new Set(mailed.filter((email) => !visited.has(email)));
}

/**
 * Finds mails of broadcasts and automations. They are not indexed by recipient, so their log ids are
 * derived.
 */
async function findBroadcastMails(
  { db }: Deps,
  projectId: string,
  ids: string[],
): Promise<LoggedMail[]> {
  const statements = [];
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT)
    statements.push(selectMailsById(db, ids.slice(at, at + IDS_PER_STATEMENT)));
  const mails = (await runBatch(db, statements)).flat();
  return mails.filter((mail) => mail.projectId === projectId);
}

/**
 * Returns the newest accepted mail to each address, or else the newest. The last one in the list
 * wins.
 */
function newestAccepted(mails: LoggedMail[]): Map<string, LoggedMail> {
  const best = mails.toSorted((a, b) => a.isAccepted - b.isAccepted || a.sentAt - b.sentAt);
  return new Map(best.map((mail) => [mail.toEmail, mail]));
}
