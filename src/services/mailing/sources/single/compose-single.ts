import type { Deps } from "../../../../deps.ts";
import type { OutgoingMessage } from "../../../../mail/smtp/index.ts";
import type { SenderAddress } from "../../../projects/index.ts";
import { pixelUrl } from "../../../tracking/index.ts";
import { composeMail } from "../../compose.ts";
import { addFooter, addPixel, textPartOf, trackLinks } from "../../decorate.ts";
import type { SingleMail } from "./send-input.ts";

/**
 * Composes the message and envelope of a rendered mail. Tracks links, and adds the pixel and the
 * unsubscribe parts if the mail goes to a subscriber.
 * Throws bad_request for invalid HTML and for values that a header cannot contain.
 */
export async function composeSingle(
  deps: Deps,
  mail: SingleMail & { logId: string; from: SenderAddress; projectId: string },
): Promise<OutgoingMessage> {
  const { rendered, unsubscribe, logId, isUntouched } = mail;
  const unsubscribeUrl = unsubscribe?.url;
  const needsFooter = unsubscribe && !unsubscribe.isInTemplate;
  const whole = needsFooter ? addFooter(rendered, unsubscribe.url) : rendered;
  const linked = isUntouched
    ? whole.html
    : await trackLinks(deps, whole.html, { logId, unsubscribeUrl });
  const html = unsubscribe ? addPixel(linked, pixelUrl(deps, logId)) : linked;
  const content = { subject: rendered.subject, html, text: textPartOf(whole) };
  return composeMail(deps, { ...mail, unsubscribeUrl, feedback: mail }, content);
}
