import type { App } from "../../app.ts";
import { badRequest } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { parseIngest } from "../../mail/bounce/index.ts";
import { findMails } from "./find-mails.ts";
import { consequenceOf, recordBounces } from "./record-bounces.ts";

/**
 * Takes bounces that a provider posted (API reference §14.4): permanent ones suppress the
 * address, whether or not the project ever mailed it, and mark the mail they are about; complaints
 * suppress it alone; what is harmless changes nothing. Authorised by the door (`requireIngestToken`).
 * Returns the first address of the body; throws bad_request when there is none.
 */
export async function acceptIngest(
  app: App,
  projectId: string,
  text: string,
): Promise<EmailAddress> {
  const parsed = parseIngest(text);
  const [first] = parsed.ok ? parsed.entries : [];
  if (!parsed.ok || !first) throw badRequest("could not find email in payload");
  const findings = parsed.entries.flatMap(({ kind, email, reason: words, messageId }) => {
    if (kind === "harmless") return [];
    return [{ kind, email, words, messageIds: messageId === undefined ? [] : [messageId] }];
  });
  const mails = await findMails(app, projectId, findings);
  await recordBounces(
    app,
    projectId,
    findings.map((finding, index) =>
      consequenceOf("ingest", { ...finding, logId: mails[index]?.logId }),
    ),
  );
  return first.email;
}
