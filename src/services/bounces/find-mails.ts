import type { App } from "../../app.ts";
import { runBatch } from "../../db/client.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { broadcastLogId } from "../log/index.ts";
import { isLogId } from "../tracking/index.ts";
import {
  selectMailsById,
  selectNewestBroadcasts,
  selectNewestMails,
  selectSubscribersByEmail,
  type LoggedMail,
} from "./queries.ts";

/** Broadcasts looked through for the mail that a bounce without a Message-ID is about; newest first. */
const BROADCASTS_LOOKED_THROUGH = 20;

/** Log ids in one statement: 40 bytes each keeps its parameter far below D1's 2 MB. */
const IDS_PER_STATEMENT = 5_000;

/** What a report says about one address. */
export interface BounceClue {
  email: EmailAddress;
  /** Message-IDs of the mail without angle brackets, as the report quotes them. */
  messageIds: string[];
}

/** What the project knows about it: the mail that came back, and whether it ever wrote to the address. */
export interface FoundMail {
  logId: string | undefined;
  /** The project has mailed the address or has it as a subscriber. */
  isKnown: boolean;
}

/**
 * Finds the mail each clue is about, in the order of the clues: the one with its Message-ID if that
 * went to its address, else the newest to that address. Two D1 round trips, however many clues.
 */
export async function findMails(
  app: App,
  projectId: string,
  clues: BounceClue[],
): Promise<FoundMail[]> {
  if (clues.length === 0) return [];
  const { db } = app;
  const emails = [...new Set(clues.map(({ email }) => email))];
  const ids = [...new Set(clues.flatMap(logIdsOf))];
  const [byId, newest, subscribers, broadcasts] = await runBatch(db, [
    selectMailsById(db, projectId, ids),
    selectNewestMails(db, projectId, emails),
    selectSubscribersByEmail(db, projectId, emails),
    selectNewestBroadcasts(db, projectId, BROADCASTS_LOOKED_THROUGH),
  ]);

  const named = new Map(byId.map((mail) => [keyOf(mail.id, mail.toEmail), mail]));
  const namedIn = (clue: BounceClue) =>
    logIdsOf(clue).flatMap((id) => named.get(keyOf(id, clue.email)) ?? [])[0];
  const unnamed = new Set<string>(clues.filter((clue) => !namedIn(clue)).map(({ email }) => email));
  const candidates = subscribers.filter(({ email }) => unnamed.has(email));
  const ofBroadcasts = await findBroadcastMails(app, projectId, candidates, broadcasts);
  const newestOf = newestByEmail([...newest, ...ofBroadcasts]);
  const subscribed = new Set(subscribers.map(({ email }) => email));

  return clues.map((clue) => {
    const mail = namedIn(clue) ?? newestOf.get(clue.email);
    return { logId: mail?.id, isKnown: mail !== undefined || subscribed.has(clue.email) };
  });
}

type Subscriber = Awaited<ReturnType<typeof selectSubscribersByEmail>>[number];
type Broadcast = Awaited<ReturnType<typeof selectNewestBroadcasts>>[number];

const keyOf = (id: string, email: string) => `${id} ${email}`;

/** Message-IDs of our mails are `logId@domain` (services/delivery/compose-mail.ts). */
function logIdsOf({ messageIds }: BounceClue): string[] {
  return messageIds.map((id) => id.split("@", 1)[0]?.toLowerCase() ?? "").filter(isLogId);
}

/** Mails of broadcasts are in no index by recipient: their log ids are told from broadcast and subscriber. */
async function findBroadcastMails(
  { db }: App,
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

function newestByEmail(mails: LoggedMail[]): Map<string, LoggedMail> {
  const oldestFirst = mails.toSorted((a, b) => a.sentAt - b.sentAt);
  return new Map(oldestFirst.map((mail) => [mail.toEmail, mail]));
}
