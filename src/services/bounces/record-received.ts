import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { ReadReport } from "../../mail/bounce/index.ts";
import { isMailed, selectMailOwners, type MailOwner } from "../email-log/index.ts";
import { selectReturnPathProjects } from "../projects/index.ts";
import { isSubscribed } from "../subscribers/index.ts";
import { openReturnPaths } from "../tracking/index.ts";
import { choosePlace } from "./choose-project.ts";
import { logIdsOf } from "./find-mails.ts";
import { requireNoLogging } from "./mails-to-come.ts";
import { recordReports, type SortedReports } from "./record-reports.ts";
import { findingsOf, foundMail, type ReportFinding } from "./report-findings.ts";

export type RecordedReport =
  | { kind: "recorded"; projectId: string; suppressed: number }
  | { kind: "ignored"; why: "no_project" | "nothing_proven" };

/**
 * Records a report from email routing. Takes one D1 read, another if it names an older mail that is
 * not in the log, and at most one write. Only the token of its return path or the id of a logged
 * mail proves a report, whatever `bounce_proof` says. Other reports about known addresses are held
 * for manual review.
 * Throws if the mail of its token, or of the Message-ID of a finding without proof, may soon be in
 * the log.
 */
export async function recordReceived(
  deps: Deps,
  to: string,
  read: ReadReport,
): Promise<RecordedReport> {
  const { db } = deps;
  const token = await openReturnPaths(deps, read.returnPaths);
  const ids = [...new Set([...(token ? [token.logId] : []), ...logIdsOf(read.report)])];
  const domain = to.slice(to.lastIndexOf("@") + 1).toLowerCase();
  const [owners, projects] = await runBatch(db, [
    selectMailOwners(db, ids),
    selectReturnPathProjects(db, domain, sql`null`),
  ]);
  const owner = token && owners.find(({ id }) => id === token.logId);
  const findings = findingsOf(read, owner && { ...owner, ...token });
  const open = findings.filter((finding) => !finding.found && !proofOf(finding, owners));
  const named = [...(token ? [token.logId] : []), ...open.flatMap(logIdsOf)];
  const logged = new Set(owners.map(({ id }) => id));
  await requireNoLogging(
    deps,
    named.filter((id) => !logged.has(id)),
  );
  const proofs = findings.map((finding) => owner ?? proofOf(finding, owners));
  const projectId =
    proofs.find((proof) => proof !== undefined)?.projectId ??
    (await choosePlace(deps, projects, to, ({ id }) => id));
  if (projectId === null) return { kind: "ignored", why: "no_project" };
  const reports = sortReceived(
    findings.map((finding) => withProof(finding, proofOf(finding, ownersIn(owners, projectId)))),
  );
  const { proven, held, soft } = reports;
  if (proven.length + held.length + soft.length === 0)
    return { kind: "ignored", why: "nothing_proven" };
  const email = sql`value ->> 'email'`;
  const isKept = sql`(value ->> 'logId' is not null or ${isSubscribed(projectId, email)} or ${isMailed(projectId, email)})`;
  const { suppressed } = await recordReports(deps, projectId, reports, { origin: "email", isKept });
  return { kind: "recorded", projectId, suppressed };
}

const ownersIn = (owners: MailOwner[], projectId: string) =>
  owners.filter((owner) => owner.projectId === projectId);

/** Returns the mail whose Message-ID a report quotes, if it went to the address of the finding. */
function proofOf(finding: ReportFinding, owners: MailOwner[]): MailOwner | undefined {
  const ids = logIdsOf(finding);
  return owners.find(({ id, toEmail }) => toEmail === finding.email && ids.includes(id));
}

const withProof = (finding: ReportFinding, proof: MailOwner | undefined): ReportFinding =>
  finding.found || !proof ? finding : { ...finding, found: foundMail(proof, true) };

/** Separates findings with proof from those held for manual review. */
function sortReceived(findings: ReportFinding[]): SortedReports {
  const hard = findings.flatMap(({ kind, ...finding }) =>
    kind === "soft" ? [] : [{ kind, logId: finding.found?.logId, ...finding }],
  );
  const proven = hard.filter(({ found }) => found?.isProven);
  const decided = new Set(proven.map(({ email }) => email));
  const soft = findings.flatMap(({ kind, email, found }) =>
    kind === "soft" && found?.isProven ? [{ email, sentAt: found.sentAt }] : [],
  );
  return {
    proven,
    believed: [],
    held: hard.filter(({ email }) => !decided.has(email)),
    soft,
    isBoundReached: false,
  };
}
