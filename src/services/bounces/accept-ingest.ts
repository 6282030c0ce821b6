import type { Deps } from "../../deps.ts";
import { badRequest } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { isSoftBounce, readIngest } from "../../mail/bounce/index.ts";
import { findMails } from "./find-mails.ts";
import { consequenceOf, recordBounces } from "./record-bounces.ts";

/**
 * Accepts bounces that a provider posts (API reference §14.4). A permanent failure of the address
 * marks its mail and suppresses the address, even one that the project never mailed. So does a
 * refusal for another reason where the project wants it. A complaint only suppresses the address. A
 * refusal by the mailbox for now counts as a soft bounce. Another harmless report changes nothing. Authorised by `requireIngestToken`.
 * Returns the first address of the body. Throws bad_request when there is none.
 */
export async function acceptIngest(
  deps: Deps,
  projectId: string,
  text: string,
): Promise<EmailAddress> {
  const parsed = await readIngest(text);
  const [first] = parsed.ok ? parsed.entries : [];
  if (!parsed.ok || !first) throw badRequest("could not find email in payload");
  const reports = parsed.entries.flatMap(({ kind, email, reason: words, cause, messageId }) => {
    if (kind === "harmless") return [];
    return [
      { kind, email, words, reason: cause, messageIds: messageId === undefined ? [] : [messageId] },
    ];
  });
  const { settings, mails } = await findMails(deps, projectId, reports);
  const consequences = reports.flatMap(({ kind, ...finding }, index) => {
    if (kind === "refusal" && !settings.suppressOnAny5xx) return [];
    const type = kind === "refusal" ? "bounce" : kind;
    return [consequenceOf("ingest", { kind: type, ...finding, logId: mails[index]?.logId })];
  });
  const soft = parsed.entries
    .filter(({ kind, cause }) => (kind === "harmless" || kind === "refusal") && isSoftBounce(cause))
    .map(({ email }) => email);
  await recordBounces(deps, projectId, consequences, soft);
  return first.email;
}
