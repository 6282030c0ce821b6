import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { BounceSettings } from "../../db/schema/index.ts";
import type { EmailAddress } from "../../mail/address.ts";
import {
  broadcastLogId,
  selectLogKeys,
  selectMailsById,
  selectNewestMails,
  selectRecentMails,
  type LoggedMail,
  type RecentMails,
} from "../email-log/index.ts";
import { bounceSettingsOf, selectBounceSettings } from "../projects/index.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import { isLogId } from "../tracking/index.ts";
import { recentSince, selectDailyBound } from "./daily-bound.ts";
import { selectSubscribersByEmail } from "./queries.ts";

/** The number of newest broadcasts to search for the mail of a bounce without a Message-ID. */
const BROADCASTS_LOOKED_THROUGH = 20;

/**
 * The number of log ids in one statement. At 40 bytes each, its parameter stays far below D1's 2
 * MB.
 */
const IDS_PER_STATEMENT = 5_000;

/** The facts that a report gives about one address. */
export interface BounceClue {
  email: EmailAddress;
  /** The Message-IDs of the mail without angle brackets, as quoted in the report. */
  messageIds: string[];
}

/** The bounced mail that the project finds for a report. */
export interface FoundMail {
  logId: string | undefined;
  /** The time of that mail in milliseconds. */
  sentAt: number | undefined;
  /** True if the report names the id of a mail sent to its address. */
  isProven: boolean;
  /**
   * True if the project mailed the address within the recent days, and no mail was opened or
   * clicked since.
   */
  isRecent: boolean;
  /** True if the project has mailed the address or has it as a subscriber. */
  isKnown: boolean;
  isSuppressed: boolean;
}

/** The mails of some clues, in the order of the clues, and the rules of their project. */
export interface FoundMails {
  settings: BounceSettings;
  /** The number of addresses that unproven reports may still suppress today. */
  allowance: number;
  mails: FoundMail[];
  /** The log ids in the clues that match no mail of the project. */
  unlogged: string[];
}

/**
 * Finds the mail of each clue: the mail with the clue's Message-ID if it was sent to the clue's
 * address, otherwise the newest mail to that address that a server accepted, otherwise the newest.
 * Takes two D1 round trips for any number of clues.
 */
export async function findMails(
  deps: Deps,
  projectId: string,
  clues: BounceClue[],
): Promise<FoundMails> {
  if (clues.length === 0)
    return { settings: bounceSettingsOf(undefined), allowance: 0, mails: [], unlogged: [] };
  const { db } = deps;
  const emails = [...new Set(clues.map(({ email }) => email))];
  const ids = [...new Set(clues.flatMap(logIdsOf))];
  const since = recentSince(deps);
  const [[project], [bound], byId, newest, recent, listed, subscribers, broadcasts] =
    await runBatch(db, [
      selectBounceSettings(db, projectId),
      selectDailyBound(deps, projectId),
      selectMailsById(db, projectId, ids),
      selectNewestMails(db, projectId, emails),
      selectRecentMails(db, projectId, emails, since),
      selectSuppressed(deps, projectId, emails),
      selectSubscribersByEmail(db, projectId, emails),
      selectLogKeys(db, projectId, BROADCASTS_LOOKED_THROUGH),
    ]);

  const named = new Map(byId.map((mail) => [keyOf(mail.id, mail.toEmail), mail]));
  const namedIn = (clue: BounceClue) =>
    logIdsOf(clue).flatMap((id) => named.get(keyOf(id, clue.email)) ?? [])[0];
  const unnamed = new Set<string>(clues.filter((clue) => !namedIn(clue)).map(({ email }) => email));
  const candidates = subscribers.filter(({ email }) => unnamed.has(email));
  const ofBroadcasts = await findBroadcastMails(deps, projectId, candidates, broadcasts);
  const newestOf = newestAccepted([...newest, ...ofBroadcasts]);
  const recents = recentAddresses(
    recent,
    ofBroadcasts.filter(({ sentAt }) => sentAt >= since),
  );
  const subscribed = new Set(subscribers.map(({ email }) => email));
  const suppressed = new Set(listed.map(({ email }) => email));

  const mails = clues.map((clue) => {
    const { email } = clue;
    const proof = namedIn(clue);
    const mail = proof ?? newestOf.get(email);
    return {
      logId: mail?.id,
      sentAt: mail?.sentAt,
      isProven: proof !== undefined,
      isRecent: recents.has(email),
      isKnown: mail !== undefined || subscribed.has(email),
      isSuppressed: suppressed.has(email),
    };
  });
  const logged = new Set(byId.map(({ id }) => id));
  const unlogged = ids.filter((id) => !logged.has(id));
  return { settings: bounceSettingsOf(project), allowance: bound?.allowance ?? 0, mails, unlogged };
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

type Subscriber = Awaited<ReturnType<typeof selectSubscribersByEmail>>[number];
type Broadcast = Awaited<ReturnType<typeof selectLogKeys>>[number];

const keyOf = (id: string, email: string) => `${id} ${email}`;

/**
 * Returns the log ids in a clue. The service's Message-IDs are `logId@domain`
 * (services/mailing/compose-mail.ts).
 */
export function logIdsOf({ messageIds }: Pick<BounceClue, "messageIds">): string[] {
  return messageIds.map((id) => id.split("@", 1)[0]?.toLowerCase() ?? "").filter(isLogId);
}

/**
 * Finds mails of broadcasts. They are not indexed by recipient, so their log ids are derived from
 * broadcast and subscriber.
 */
async function findBroadcastMails(
  { db }: Deps,
  projectId: string,
  subscribers: Subscriber[],
  broadcasts: Broadcast[],
): Promise<LoggedMail[]> {
  const ids = broadcasts.flatMap((broadcast) =>
    subscribers.map(({ id }) => broadcastLogId(broadcast, id)),
  );
  const statements = [];
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT)
    statements.push(selectMailsById(db, projectId, ids.slice(at, at + IDS_PER_STATEMENT)));
  return (await runBatch(db, statements)).flat();
}

/**
 * Returns the newest accepted mail to each address, or else the newest. The last one in the list
 * wins.
 */
function newestAccepted(mails: LoggedMail[]): Map<string, LoggedMail> {
  const best = mails.toSorted((a, b) => a.isAccepted - b.isAccepted || a.sentAt - b.sentAt);
  return new Map(best.map((mail) => [mail.toEmail, mail]));
}
