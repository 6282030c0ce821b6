import type { Ctx } from "../../context.ts";
import { refusal } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { readIngest } from "../../mail/bounce/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { bounceSettingsOf } from "../projects/index.ts";
import { reportOfEntry, reportOfMessage, type Report } from "./claims.ts";
import { findEvidence } from "./find-evidence.ts";
import { ingestRulesOf } from "./ingest-rules.ts";
import { earlyReports } from "./mails-to-come.ts";
import { openPosted, type Posted } from "./open-posted.ts";
import { recordClaims } from "./record-reports.ts";

/** The outcome of a posted body; `email` is the first address that it suppresses. */
export type Ingested =
  | { status: "accepted"; email: EmailAddress }
  | { status: "confirmed" }
  | { status: "ignored" };

/**
 * Accepts bounces that a provider posts (API reference §14.4). A permanent failure of the address
 * marks its mail as bounced and suppresses the address, even if the project never mailed it. A
 * rejection for another reason does the same if the project's settings say so. A complaint or
 * opt-out only suppresses the address. A temporary rejection by the mailbox counts as a soft
 * bounce. Any other event changes nothing. Authorized by `requireIngestToken`, and by a signature
 * if the project requires one; `settings` are those of the project.
 * Throws 400 if the body names no address. Throws 503 after recording the other reports if one of
 * them is about a mail that may soon be in the log (decision D31).
 */
export async function acceptIngest(
  ctx: Ctx,
  projectId: string,
  settings: Pick<ProjectRow, "bounceSettings"> | undefined,
  posted: Posted,
): Promise<Ingested> {
  const { deps } = ctx;
  const opened = await openPosted(ctx, projectId, ingestRulesOf(settings), posted);
  if (opened.kind !== "report") return { status: opened.kind };
  const { suppressOnAny5xx } = bounceSettingsOf(settings);
  const { namesAddress, reports } = await readReports(opened.text, suppressOnAny5xx);
  const evidence = await findEvidence(deps, reports);
  const isOurs = evidence.some((one) => one.early || one.projectId === projectId);
  if (!namesAddress && !isOurs) {
    if (opened.isNotice) return { status: "ignored" };
    throw refusal("no_email_in_payload", {});
  }
  const claims = evidence
    .filter((one) => !one.early)
    .flatMap((one) => one.claimsIn(projectId))
    .filter(({ found }) => found?.isProven !== false); // it is about another member of an alias
  await recordClaims(deps, projectId, claims, "ingest");
  const first = claims.find(({ kind }) => kind !== "soft");
  const early = evidence.filter((one) => one.early).length;
  if (early > 0) throw earlyReports(projectId, early);
  return first ? { status: "accepted", email: first.email } : { status: "ignored" };
}

/** Reads the reports of a body: a message, or one for each posted entry. */
async function readReports(
  text: string,
  isRefusalHard: boolean,
): Promise<{ namesAddress: boolean; reports: Report[] }> {
  const { message, ...parsed } = await readIngest(text);
  const entries = parsed.ok ? parsed.entries : [];
  const reports = message
    ? [reportOfMessage(message, isRefusalHard)]
    : entries.map((entry) => reportOfEntry(entry, isRefusalHard));
  return { namesAddress: entries.length > 0, reports };
}
