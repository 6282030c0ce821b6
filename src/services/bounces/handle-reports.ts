import type { Deps } from "../../deps.ts";
import { isSoftBounce, parseBounce, type BounceReport } from "../../mail/bounce/index.ts";
import { findMails, type BounceClue } from "./find-mails.ts";
import { recordReports, sortByProof, type ReportedFinding } from "./record-reports.ts";

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

type ReportFinding = BounceClue & Omit<ReportedFinding, "logId">;

/**
 * Reads messages of a bounce mailbox and records their consequences, in two round trips to read and
 * one atomic batch. Anyone can write to the mailbox, so a report counts if it names a mail that
 * went to its address, or within the bounds of `bounce_proof` (API reference §14.2). A message that
 * cannot be parsed is counted and changes nothing.
 */
export async function handleReports(
  deps: Deps,
  projectId: string,
  messages: Uint8Array[],
): Promise<ReportCounts> {
  const findings: ReportFinding[] = [];
  let unreadable = 0;
  for (const raw of messages) {
    const read = await readReport(raw);
    if (read.ok) findings.push(...findingsOf(read.report));
    else unreadable += 1;
  }
  const found = await findMails(deps, projectId, findings);
  const judged = findings.flatMap((finding, index) => {
    const mail = found.mails[index];
    if (finding.kind === "soft" && !mail?.isProven) return [];
    return mail?.isKnown ? [{ ...finding, ...mail }] : [];
  });
  const ignored = findings.filter(
    ({ kind }, index) => kind !== "soft" && !found.mails[index]?.isKnown,
  ).length;
  const recorded = await recordReports(deps, projectId, sortByProof(judged, found));
  return { messages: messages.length, unreadable, ignored, ...recorded };
}

async function readReport(
  raw: Uint8Array,
): Promise<{ ok: true; report: BounceReport } | { ok: false }> {
  try {
    return { ok: true, report: await parseBounce(raw) };
  } catch {
    return { ok: false }; // counted: a stranger's message must not stop the poll
  }
}

function findingsOf({ kind, recipients, messageIds }: BounceReport): ReportFinding[] {
  if (kind === "other") return [];
  return recipients.flatMap(({ email, verdict, reason, diagnostic }): ReportFinding[] => {
    const finding = { email, messageIds, words: diagnostic, reason };
    if (kind === "complaint") return [{ kind, ...finding }];
    if (verdict === "bad_address") return [{ kind, ...finding }];
    return isSoftBounce(reason) ? [{ kind: "soft", ...finding }] : [];
  });
}
