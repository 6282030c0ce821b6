import type { Message } from "../../messages/message.ts";
import { linkFault } from "../../messages/templates.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const WEB = /^https?:/i;
/** A web URL with both slashes; browsers complete one with fewer. */
const WHOLE_WEB = /^https?:[\\/]{2}/i;
/** Contact schemes, whose URLs have no host. */
const CONTACT = /^(?:mailto|tel|sms):/i;
const BLOCKED = /^(?:javascript|vbscript|data|file):/i;

/** Returns the fault of a link in a mail; undefined if it is valid. */
export function faultOfLink(url: string): Message | undefined {
  if (url === "") return linkFault("link_empty");
  if (url.startsWith("#") || CONTACT.test(url)) return undefined;
  if (!SCHEME.test(url)) return linkFault("link_relative");
  if (BLOCKED.test(url)) return linkFault("link_blocked");
  const isWhole = WEB.test(url) ? WHOLE_WEB.test(url) : true;
  return isWhole && URL.canParse(url) ? undefined : linkFault("link_unreadable");
}
