import { runBatch, type Database } from "../../db/client.ts";
import {
  selectClicksAfter,
  selectFirstClicks,
  selectVisitedEntries,
  type KeptClick,
  type VisitedEntry,
} from "../email-log/index.ts";

/** A cursor among the mails of an export: outside of broadcasts, or before a broadcast. */
export type MailPlace = ["mail", sentAt: number, id: string] | ["broadcast", beforeId: string];

/** The cursor after a click of a mail, and the cursor after that mail. */
export type ClickPlace = ["clicks", logId: string, clickId: string, afterMail: MailPlace];

/** A mail to export, and the cursor after it. */
export interface FoundMail {
  id: string;
  place: MailPlace;
}

export type ClickedMail = VisitedEntry & { clicks: KeptClick[] };

/** Mails of a page. `left` is the cursor after the last click if the last mail has more. */
interface ClickedMails {
  mails: ClickedMail[];
  left: ClickPlace | undefined;
}

/** The number of clicks of a mail on its first page, and on each further one. */
const FIRST_CLICKS = 100;
const MORE_CLICKS = 1_000;

/**
 * Reads the mails that are `wanted`, in the given order, each with its first clicks. Ends after a
 * mail that has more clicks.
 */
export async function readMails(
  db: Database,
  projectId: string,
  found: FoundMail[],
  wanted: (entry: VisitedEntry) => boolean,
): Promise<ClickedMails> {
  const ids = found.map(({ id }) => id);
  const [entries, clicks] = await runBatch(db, [
    selectVisitedEntries(db, projectId, ids),
    selectFirstClicks(db, ids, FIRST_CLICKS + 1),
  ]);
  const mails: ClickedMail[] = [];
  for (const { id, place } of found) {
    const entry = entries.find((one) => one.id === id);
    if (!entry || !wanted(entry)) continue;
    const own = clicks.filter(({ logId }) => logId === id);
    const { shown, left } = cut(own, FIRST_CLICKS, place);
    mails.push({ ...entry, clicks: shown });
    if (left) return { mails, left };
  }
  return { mails, left: undefined };
}

/** Reads the next clicks of a mail, as a page that repeats the mail; empty if it is gone. */
export async function readMoreClicks(
  db: Database,
  projectId: string,
  [, logId, clickId, afterMail]: ClickPlace,
  wanted: (entry: VisitedEntry) => boolean,
): Promise<ClickedMails> {
  const [[entry], clicks] = await runBatch(db, [
    selectVisitedEntries(db, projectId, [logId]),
    selectClicksAfter(db, logId, clickId, MORE_CLICKS + 1),
  ]);
  if (!entry || !wanted(entry)) return { mails: [], left: undefined };
  const { shown, left } = cut(clicks, MORE_CLICKS, afterMail);
  return { mails: [{ ...entry, clicks: shown }], left };
}

/**
 * Returns one page of clicks, and the cursor after them if there are more. `clicks` has one extra.
 */
function cut(clicks: KeptClick[], size: number, afterMail: MailPlace) {
  const shown = clicks.slice(0, size);
  const last = clicks.length > size ? shown.at(-1) : undefined;
  const left: ClickPlace | undefined = last && ["clicks", last.logId, last.id, afterMail];
  return { shown, left };
}
