import type { Deps } from "../../deps.ts";
import { badRequest } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { parseIngest } from "../../mail/bounce/index.ts";
import { findMails } from "./find-mails.ts";
import { consequenceOf, recordBounces } from "./record-bounces.ts";

/**
 * Accepts bounces that a provider posts (API reference §14.4). A permanent bounce marks its mail
 * and suppresses the address, even one that the project never mailed. A complaint only suppresses
 * the address. A harmless report changes nothing. Authorised by `requireIngestToken`.
 * Returns the first address of the body. Throws bad_request when there is none.
 */
export async function acceptIngest(
  deps: Deps,
  projectId: string,
  text: string,
): Promise<EmailAddress> {
  const parsed = parseIngest(text);
  const [first] = parsed.ok ? parsed.entries : [];
  if (!parsed.ok || !first) throw badRequest("could not find email in payload");
  const findings = parsed.entries.flatMap(({ kind, email, reason: words, cause, messageId }) => {
    if (kind === "harmless") return [];
    return [
      { kind, email, words, reason: cause, messageIds: messageId === undefined ? [] : [messageId] },
    ];
  });
  const mails = await findMails(deps, projectId, findings);
  await recordBounces(
    deps,
    projectId,
    findings.map((finding, index) =>
      consequenceOf("ingest", { ...finding, logId: mails[index]?.logId }),
    ),
  );
  return first.email;
}
