import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import type { IngestRules } from "../../db/schema/index.ts";
import { refusal } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { isSoftBounce, readIngest, type IngestEntry } from "../../mail/bounce/index.ts";
import { findMails, logIdsOf } from "./find-mails.ts";
import { earlyReports, mailsToComeIn } from "./mails-to-come.ts";
import { openPosted, type Posted } from "./open-posted.ts";
import { consequenceOf, recordBounces } from "./record-bounces.ts";
import { withReturnedMail } from "./returned-entries.ts";

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
 * if the project requires one.
 * Throws 400 if the body names no address. Throws 503 after recording the other reports if one of
 * them is about a mail that may soon be in the log (decision D31).
 */
export async function acceptIngest(
  ctx: Ctx,
  projectId: string,
  rules: IngestRules,
  posted: Posted,
): Promise<Ingested> {
  const { deps } = ctx;
  const opened = await openPosted(ctx, projectId, rules, posted);
  if (opened.kind !== "report") return { status: opened.kind };
  const entries = await readEntries(deps, projectId, opened.text);
  if (entries.length === 0) {
    if (opened.isNotice) return { status: "ignored" };
    throw refusal("no_email_in_payload", {});
  }
  const reports = entries.map(reportOf);
  const sought = reports.filter(
    (report) => report.kind !== "harmless" || (report.isSoft && logIdsOf(report).length > 0),
  );
  const { settings, mails, unlogged } = await findMails(deps, projectId, sought);
  const found = new Map(sought.map((report, index) => [report, mails[index]]));
  const { toCome } = await mailsToComeIn(deps, projectId, unlogged);
  const isHard = ({ kind }: PostedReport) =>
    kind !== "harmless" && (kind !== "refusal" || settings.suppressOnAny5xx);
  const isDue = (report: PostedReport) =>
    found.get(report)?.isProven || !logIdsOf(report).some((id) => toCome.has(id));
  const telling = reports.filter((report) => isHard(report) || report.isSoft);
  const due = telling.filter(isDue);
  const consequences = due.filter(isHard).map((report) => {
    const { kind: told } = report;
    const kind = told === "complaint" || told === "opt_out" ? told : "bounce";
    return consequenceOf("ingest", { ...report, kind, logId: found.get(report)?.logId });
  });
  const soft = due.flatMap((report) => {
    const mail = found.get(report);
    const sentAt = mail?.isProven ? mail.sentAt : undefined;
    return report.isSoft ? [{ email: report.email, sentAt }] : [];
  });
  await recordBounces(deps, projectId, consequences, soft);
  const early = telling.length - due.length;
  if (early > 0) throw earlyReports(projectId, early);
  const [first] = due.filter(isHard);
  return first ? { status: "accepted", email: first.email } : { status: "ignored" };
}

type PostedReport = ReturnType<typeof reportOf>;

const reportOf = ({ kind, email, reason: words, cause, messageId, isDelay }: IngestEntry) => ({
  kind,
  email,
  words,
  reason: cause,
  messageIds: messageId === undefined ? [] : [messageId],
  isSoft: (kind === "harmless" || kind === "refusal") && !isDelay && isSoftBounce(cause),
});

async function readEntries(deps: Deps, projectId: string, text: string): Promise<IngestEntry[]> {
  const { message, ...parsed } = await readIngest(text);
  const entries = parsed.ok ? parsed.entries : [];
  return message ? withReturnedMail(deps, projectId, entries, message) : entries;
}
