import type { Deps } from "../../deps.ts";
import { readReport, type ReadReport } from "../../mail/bounce/index.ts";
import { findMails, logIdsOf, type FoundMail } from "./find-mails.ts";
import { mailsToCome, mailsToComeIn } from "./mails-to-come.ts";
import { findReturnedMails } from "./returned-mails.ts";
import { findingsOf, tellsOfMail, type ReportFinding } from "./report-findings.ts";
import { recordReports, sortByProof } from "./record-reports.ts";

/** The results of reading messages. Each report counts its addresses separately. */
export interface ReportCounts {
  messages: number;
  /** The messages that no parser understands. */
  unreadable: number;
  /** The addresses that were new on the suppression list. */
  suppressed: number;
  /** The number of reports that prove nothing and are kept for review by a person. */
  unverified: number;
  /**
   * The number of addresses in reports that the project neither mailed nor has as subscribers,
   * because the report is forged or the mail was forwarded.
   */
  ignored: number;
}

/** The results of messages, and the places of messages that cannot be judged yet. */
export interface HandledReports extends ReportCounts {
  /** Messages about mails that may soon be in the log. They are neither counted nor recorded. */
  early: ReadonlySet<number>;
  /** The number of early messages that are early only because of a Message-ID. */
  unproven: number;
}

/** A finding with the place of its message. */
interface PlacedFinding {
  place: number;
  finding: ReportFinding;
}

/**
 * Reads messages of a bounce mailbox and records their consequences in one atomic batch. Takes one
 * round trip to read if return paths prove all of them, otherwise up to three, and up to three more
 * if mails that they name are not in the log. Anyone can write to the mailbox. A report therefore
 * counts only if it names a mail that went to its address, or within the limits of `bounce_proof`
 * (API reference §14.2). A message that cannot be parsed is counted and changes nothing. A report
 * that is early only because of its Message-ID, which anyone can forge, may wait only if it is
 * among the first `room` of such reports.
 */
export async function handleReports(
  deps: Deps,
  projectId: string,
  messages: Uint8Array[],
  room = messages.length,
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
  const findings = reads.flatMap(({ place, read }, index): PlacedFinding[] => {
    const { mail, unlogged = "" } = returned[index] ?? {};
    if (toCome.has(unlogged) && tellsOfMail(read)) {
      early.add(place);
      return [];
    }
    const own = mail?.projectId === projectId ? mail : undefined;
    return findingsOf(read, own).map((finding) => ({ place, finding }));
  });
  const { unproven, ...recorded } = await recordFindings(deps, projectId, findings, room);
  for (const place of unproven) early.add(place);
  const unreadable = messages.length - reads.length;
  const counted = messages.length - early.size;
  return { messages: counted, unreadable, ...recorded, early, unproven: unproven.size };
}

/** Records findings, except those of messages whose Message-ID names a mail that may still come. */
async function recordFindings(
  deps: Deps,
  projectId: string,
  placed: PlacedFinding[],
  room: number,
) {
  const isOpen = ({ found }: ReportFinding) => found === undefined;
  const open = placed.map(({ finding }) => finding).filter(isOpen);
  const searched = await findMails(deps, projectId, open);
  const toCome = await mailsToComeIn(deps, projectId, searched.unlogged);
  const left: (FoundMail | undefined)[] = [...searched.mails];
  const all = placed.map(({ place, finding }) => {
    const mail = finding.found ?? left.shift();
    const isEarly = !finding.found && !mail?.isProven;
    return {
      place,
      finding,
      mail,
      isEarly: isEarly && logIdsOf(finding).some((id) => toCome.has(id)),
    };
  });
  const early = new Set(all.filter(({ isEarly }) => isEarly).map(({ place }) => place));
  const unproven = new Set([...early].slice(0, room));
  const due = all.filter(({ place }) => !unproven.has(place));
  const judged = due.flatMap(({ finding, mail }) => {
    if (finding.kind === "soft" && !mail?.isProven) return [];
    return mail?.isKnown ? [{ ...finding, ...mail }] : [];
  });
  const ignored = due.filter(({ finding, mail }) => finding.kind !== "soft" && !mail?.isKnown);
  const recorded = await recordReports(deps, projectId, sortByProof(judged, searched));
  return { ignored: ignored.length, ...recorded, unproven };
}

async function tryToRead(raw: Uint8Array): Promise<ReadReport | undefined> {
  try {
    return await readReport(raw);
  } catch {
    return undefined; // counted: a stranger's message must not stop the poll
  }
}
