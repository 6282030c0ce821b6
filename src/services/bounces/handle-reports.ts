import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { readReport, type ReadReport } from "../../mail/bounce/index.ts";
import { findMails, logIdsOf, type FoundMail } from "./find-mails.ts";
import { mailsToCome, mailsToComeIn } from "./mails-to-come.ts";
import { selectSharing } from "./queries.ts";
import { findReturnedMails } from "./returned-mails.ts";
import { concernsMail, findingsOf, type ReportFinding } from "./report-findings.ts";
import { recordReports, sortByProof } from "./record-reports.ts";

/** The results of reading messages. Each report counts its addresses separately. */
export interface ReportCounts {
  messages: number;
  /** The messages that no parser can read. */
  unreadable: number;
  /** The addresses added to the suppression list. */
  suppressed: number;
  /** The number of unproven reports held for manual review. */
  unverified: number;
  /**
   * The number of reported addresses that the project neither mailed nor has as subscribers: the
   * report is forged, or the mail was forwarded.
   */
  ignored: number;
}

/** The results of messages, and the indexes of messages that cannot be judged yet. */
export interface HandledReports extends ReportCounts {
  /**
   * Indexes of messages about mails that may soon be in the log. They are neither counted nor
   * recorded.
   */
  early: ReadonlySet<number>;
  /** The number of early messages that are early only because of a Message-ID. */
  unproven: number;
}

/** A finding with the index of its message. */
interface PlacedFinding {
  place: number;
  finding: ReportFinding;
}

/** The owner of a mailbox, and how many of its reports may be deferred. */
interface ReportRoom {
  /** The number of reports that may be deferred because of a Message-ID, which anyone can forge. */
  room?: number;
  /** True if reports about mails of other projects with the same mailbox are passed on to them. */
  isShared?: boolean;
}

/**
 * Reads messages of a bounce mailbox and records their consequences in one atomic batch. Takes one
 * round trip to read if return paths prove all of them, otherwise up to three, and up to three more
 * if mails that they name are not in the log. Anyone can write to the mailbox, so a report counts
 * only if it names a mail sent to its address, or within the limits of `bounce_proof` (API
 * reference §14.2). If several projects share a mailbox, a report belongs to the project whose mail
 * it names. A message that cannot be parsed is counted and changes nothing.
 */
export async function handleReports(
  deps: Deps,
  projectId: string,
  messages: Uint8Array[],
  { room = messages.length, isShared = true }: ReportRoom = {},
): Promise<HandledReports> {
  const reads: { place: number; read: ReadReport }[] = [];
  for (const [place, raw] of messages.entries()) {
    const read = await tryToRead(raw);
    if (read) reads.push({ place, read });
  }
  const returned = await findReturnedMails(
    deps,
    reads.map(({ read }) => read),
  );
  const toCome = await mailsToCome(
    deps,
    returned.flatMap(({ unlogged }) => unlogged ?? []),
  );
  const early = new Set<number>();
  const others = new Map<number, string>();
  const findings = reads.flatMap(({ place, read }, index): PlacedFinding[] => {
    const { mail, unlogged = "" } = returned[index] ?? {};
    if (toCome.has(unlogged) && concernsMail(read)) {
      early.add(place);
      return [];
    }
    const own = mail?.projectId === projectId ? mail : undefined;
    if (mail && !own) others.set(place, mail.projectId);
    return findingsOf(read, own).map((finding) => ({ place, finding }));
  });
  const given = isShared ? others : undefined;
  const { unproven, passedOn, ...recorded } = await recordFindings(
    deps,
    projectId,
    findings,
    room,
    given,
  );
  for (const place of unproven) early.add(place);
  const counts: ReportCounts = {
    messages: messages.length - early.size - passedOn.size,
    unreadable: messages.length - reads.length,
    ...recorded,
  };
  for (const [other, places] of Map.groupBy(passedOn, ([, to]) => to)) {
    const theirs = places.flatMap(([place]) => messages[place] ?? []);
    const rules = { room: 0, isShared: false };
    addCounts(counts, await handleReports(deps, other, theirs, rules));
  }
  return { ...counts, early, unproven: unproven.size };
}

/**
 * Records findings, except those about mails that may still appear in the log and those that belong
 * to other projects with the same mailbox.
 */
async function recordFindings(
  deps: Deps,
  projectId: string,
  placed: PlacedFinding[],
  room: number,
  others: Map<number, string> | undefined,
) {
  const isOpen = ({ found }: ReportFinding) => found === undefined;
  const open = placed.map(({ finding }) => finding).filter(isOpen);
  const searched = await findMails(deps, projectId, open);
  const { toCome, elsewhere } = await mailsToComeIn(deps, projectId, searched.unlogged);
  const left: (FoundMail | undefined)[] = [...searched.mails];
  const all = placed.map(({ place, finding }) => {
    const mail = finding.found ?? left.shift();
    const isUnproven = !finding.found && !mail?.isProven;
    const ids = isUnproven ? logIdsOf(finding) : [];
    const owner = elsewhere.find(
      ({ id, toEmail }) => toEmail === finding.email && ids.includes(id),
    );
    if (owner && others?.has(place) === false) others.set(place, owner.projectId);
    return { place, finding, mail, isEarly: ids.some((id) => toCome.has(id)) };
  });
  const passedOn = await selectPassedOn(deps, projectId, others ?? new Map());
  const kept = all.filter(({ place }) => !passedOn.has(place));
  const early = new Set(kept.filter(({ isEarly }) => isEarly).map(({ place }) => place));
  const unproven = new Set([...early].slice(0, room));
  const due = kept.filter(({ place }) => !unproven.has(place));
  const judged = due.flatMap(({ finding, mail }) => {
    if (finding.kind === "soft" && !mail?.isProven) return [];
    return mail?.isKnown ? [{ ...finding, ...mail }] : [];
  });
  const ignored = due.filter(({ finding, mail }) => finding.kind !== "soft" && !mail?.isKnown);
  const recorded = await recordReports(deps, projectId, sortByProof(judged, searched));
  return { ignored: ignored.length, ...recorded, unproven, passedOn };
}

/** Returns the indexes of findings that belong to other projects with the same mailbox. */
async function selectPassedOn(
  { db }: Deps,
  projectId: string,
  others: Map<number, string>,
): Promise<Map<number, string>> {
  if (others.size === 0) return others;
  const [rows] = await runBatch(db, [selectSharing(db, projectId, [...new Set(others.values())])]);
  const sharing = new Set(rows.map(({ id }) => id));
  return new Map([...others].filter(([, id]) => sharing.has(id)));
}

export function addCounts(counts: ReportCounts, more: ReportCounts): void {
  for (const key of ["messages", "unreadable", "suppressed", "unverified", "ignored"] as const)
    counts[key] += more[key];
}

async function tryToRead(raw: Uint8Array): Promise<ReadReport | undefined> {
  try {
    return await readReport(raw);
  } catch {
    return undefined; // counted: an unexpected message must not stop the poll
  }
}
