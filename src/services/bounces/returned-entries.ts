import type { Deps } from "../../deps.ts";
import { entriesOfReport, type IngestEntry, type ReadReport } from "../../mail/bounce/index.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { earlyReports, mailsToCome } from "./mails-to-come.ts";
import { concernsMail } from "./report-findings.ts";
import { findReturnedMails } from "./returned-mails.ts";

/**
 * Returns the entries of a posted message, with the mail of the project that its return path names.
 * A message without an address is about the recipient of that mail. Takes one D1 round trip to read
 * the mail if there is a valid token, and another to look for an old mail that is not in the log.
 * Throws 503 while that mail may soon be in the log.
 */
export async function withReturnedMail(
  deps: Deps,
  projectId: string,
  entries: IngestEntry[],
  message: ReadReport,
): Promise<IngestEntry[]> {
  const [returned] = await findReturnedMails(deps, [message]);
  const { mail, unlogged } = returned ?? {};
  if (unlogged !== undefined && concernsMail(message)) {
    const toCome = await mailsToCome(deps, [unlogged]);
    if (toCome.has(unlogged)) throw earlyReports(projectId, 1);
  }
  if (mail?.projectId !== projectId || mail.toEmail === "") return entries; // "" means erased
  const email = mail.toEmail as EmailAddress; // the service sent it
  if (entries.length > 0 || mail.hasCopies)
    return entries.map((entry) =>
      entry.email === email ? { ...entry, messageId: mail.id } : entry,
    );
  const { report, unnamed } = message;
  const failure = { verdict: "not_address", reason: "unknown", diagnostic: "complaint" } as const;
  const kind = report.kind === "complaint" ? report.kind : "bounce";
  const named = kind === "complaint" ? failure : unnamed;
  const recipients = named ? [{ email, ...named }] : [];
  return entriesOfReport({ kind, recipients, messageIds: [mail.id] });
}
