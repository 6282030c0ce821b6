import { hardBounce } from "../suppressions/index.ts";
import type { App } from "../../app.ts";
import { badRequest } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { parseIngest } from "../../mail/bounce/index.ts";
import { findMails } from "./find-mails.ts";
import { recordBounces } from "./record-bounces.ts";

/**
 * Takes bounces that a provider posted (API reference, "Bounce ingest"): permanent ones suppress the
 * address, whether or not the project ever mailed it, and mark the mail they are about; temporary ones
 * change nothing. Authorised by the door (`requireIngestToken`). Returns the first address of the body;
 * throws bad_request when there is none.
 */
export async function acceptIngest(
  app: App,
  projectId: string,
  text: string,
): Promise<EmailAddress> {
  const parsed = parseIngest(text);
  const [first] = parsed.ok ? parsed.entries : [];
  if (!parsed.ok || !first) throw badRequest("could not find email in payload");
  const permanent = parsed.entries.filter((entry) => entry.permanent);
  const clues = permanent.map(({ email, messageId }) => ({
    email,
    messageIds: messageId === undefined ? [] : [messageId],
  }));
  const mails = await findMails(app, projectId, clues);
  await recordBounces(
    app,
    projectId,
    permanent.map(({ email, reason }, index) => ({
      suppression: hardBounce(email, "ingest", reason),
      returned: { logId: mails[index]?.logId, error: reason || "bounced" },
    })),
  );
  return first.email;
}
