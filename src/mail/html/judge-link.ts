import type { Message } from "../../messages/message.ts";
import { linkFault } from "../../messages/templates.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const WEB = /^https?:/i;
/** A web address with its two slashes; a browser would complete one with fewer. */
const WHOLE_WEB = /^https?:[\\/]{2}/i;
/** Addresses of people and machines, which are not URLs with a host. */
const CONTACT = /^(?:mailto|tel|sms):/i;
const BLOCKED = /^(?:javascript|vbscript|data|file):/i;

/** Returns the fault of a link in a mail; undefined for a good one. */
export function faultOfLink(url: string): Message | undefined {
  if (url === "") return linkFault("link_empty");
  if (url.startsWith("#") || CONTACT.test(url)) return undefined;
  if (!SCHEME.test(url)) return linkFault("link_relative");
  if (BLOCKED.test(url)) return linkFault("link_blocked");
  const isWhole = WEB.test(url) ? WHOLE_WEB.test(url) : true;
  return isWhole && URL.canParse(url) ? undefined : linkFault("link_unreadable");
}
