import type { Deps } from "../../deps.ts";
import { readReport, type ReadReport } from "../../mail/bounce/index.ts";
import { findMails, type FoundMail } from "./find-mails.ts";
import { findReturnedMails } from "./returned-mails.ts";
import { findingsOf, type ReportFinding } from "./report-findings.ts";
import { recordReports, sortByProof } from "./record-reports.ts";

/** The results of reading messages. Each report counts its addresses separately. */
export interface ReportCounts {
  messages: number;
  /** The messages that no parser understands. */
  unreadable: number;
  /** The addresses that were new on the suppression list. */
  suppressed: number;
  /** The reports that prove nothing and are kept for a person. */
  unverified: number;
  /**
   * The addresses in reports that the project neither mailed nor has as subscribers: forged, or
   * forwarded.
   */
  ignored: number;
}

/**
 * Reads messages of a bounce mailbox and records their consequences, in one atomic batch. Takes one
 * round trip to read if return paths prove all of them, otherwise up to three. Anyone can write to
 * the mailbox, so a report counts if it names a mail that went to its address, or within the bounds
 * of `bounce_proof` (API reference §14.2). A message that cannot be parsed is counted and changes
 * nothing.
 */
export async function handleReports(
  deps: Deps,
  projectId: string,
  messages: Uint8Array[],
): Promise<ReportCounts> {
  const reads: ReadReport[] = [];
  let unreadable = 0;
  for (const raw of messages) {
    const read = await tryToRead(raw);
    if (read) reads.push(read);
    else unreadable += 1;
  }
  const mails = await findReturnedMails(deps, reads);
  const findings = reads.flatMap((read, index) => {
    const mail = mails[index];
    return findingsOf(read, mail?.projectId === projectId ? mail : undefined);
  });
  const recorded = await recordFindings(deps, projectId, findings);
  return { messages: messages.length, unreadable, ...recorded };
}

async function recordFindings(deps: Deps, projectId: string, findings: ReportFinding[]) {
  const isOpen = ({ found }: ReportFinding) => found === undefined;
  const searched = await findMails(deps, projectId, findings.filter(isOpen));
  const left: (FoundMail | undefined)[] = [...searched.mails];
  const mails = findings.map(({ found }) => found ?? left.shift());
  const judged = findings.flatMap((finding, index) => {
    const mail = mails[index];
    if (finding.kind === "soft" && !mail?.isProven) return [];
    return mail?.isKnown ? [{ ...finding, ...mail }] : [];
  });
  const ignored = findings.filter(
    ({ kind }, index) => kind !== "soft" && !mails[index]?.isKnown,
  ).length;
  const recorded = await recordReports(deps, projectId, sortByProof(judged, searched));
  return { ignored, ...recorded };
}

async function tryToRead(raw: Uint8Array): Promise<ReadReport | undefined> {
  try {
    return await readReport(raw);
  } catch {
    return undefined; // counted: a stranger's message must not stop the poll
  }
}
