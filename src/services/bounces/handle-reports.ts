import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { readReport, type ReadReport } from "../../mail/bounce/index.ts";
import { reportOfMessage } from "./claims.ts";
import { findEvidence } from "./find-evidence.ts";
import { selectSharing } from "./queries.ts";
import { recordClaims } from "./record-reports.ts";

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

/**
 * Reads messages of a bounce mailbox and records their consequences in one atomic batch for each
 * project. A report counts only if it is proven (`findEvidence`), or within the limits of
 * `bounce_proof` (API reference §14.2). If several projects share a mailbox, a report belongs to the
 * project whose mail it names. `room` limits the messages that are early only because of a
 * Message-ID, which anyone can forge. A message that cannot be parsed is counted and changes
 * nothing.
 */
export async function handleReports(
  deps: Deps,
  projectId: string,
  messages: Uint8Array[],
  { room = messages.length }: { room?: number } = {},
): Promise<HandledReports> {
  const reads: { place: number; read: ReadReport }[] = [];
  for (const [place, raw] of messages.entries()) {
    const read = await tryToRead(raw);
    if (read) reads.push({ place, read });
  }
  const found = await findEvidence(
    deps,
    reads.map(({ read }) => reportOfMessage(read)),
  );
  const isForgeable = found.map(({ early }) => early === "message_id");
  const unproven = reads.filter((_, index) => isForgeable[index]).slice(0, room);
  const proven = reads.filter((_, index) => found[index]?.early === "return_path");
  const early = new Set([...proven, ...unproven].map(({ place }) => place));
  const due = found.filter((_, index) => !early.has(reads[index]?.place ?? -1));
  const sharing = await sharingProjects(deps, projectId, due);
  const byProject = Map.groupBy(due, ({ projectId: named = "" }) =>
    sharing.has(named) ? named : projectId,
  );
  const counts: ReportCounts = {
    messages: messages.length - early.size,
    unreadable: messages.length - reads.length,
    suppressed: 0,
    unverified: 0,
    ignored: 0,
  };
  for (const [owner, reports] of byProject) {
    const claims = reports.flatMap(({ claimsIn }) => claimsIn(owner));
    const { known: _, ...recorded } = await recordClaims(deps, owner, claims, "imap");
    addCounts(counts, { ...recorded, messages: 0, unreadable: 0 });
  }
  return { ...counts, early, unproven: unproven.length };
}

/** Returns the projects with the same mailbox whose mails the reports name. */
async function sharingProjects(
  { db }: Deps,
  projectId: string,
  reports: { projectId: string | undefined }[],
): Promise<ReadonlySet<string>> {
  const named = new Set(reports.flatMap((report) => report.projectId ?? []));
  named.delete(projectId);
  if (named.size === 0) return named;
  const [rows] = await runBatch(db, [selectSharing(db, projectId, [...named])]);
  return new Set(rows.map(({ id }) => id));
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
