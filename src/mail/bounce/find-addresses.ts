/**
 * Addresses in free text, as mail systems write them in reports: `<a@b.example>`,
 * `SMTP:a@b.example`, `rfc822;a@b.example`, `'a@b.example'`.
 *
 * The text is untrusted. Each pattern looks back at most one local part from every @, and a line
 * yields at most 100 addresses.
 */
import { type EmailAddress, parseEmailAddress } from "../address.ts";

/** Maximum addresses per line, as in a report. Exim writes 50 into one header field. */
const MAX_ADDRESSES_PER_LINE = 100;
const BRACKETED_OR_BARE =
  /<\s*([^<>\s"]{1,64}@[^<>\s"@]{1,253})\s*>|([a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9][a-z0-9.-]{1,253})/gi;
/** Address type prefixes: `<SMTP:a@b>`, `<mailto:a@b>`, a source route, X.400's `SMTP=a@b`. */
const TYPE_PREFIX = /^.*[:;,]|^(?:smtp|rfc-?822)=/i;
/** Punctuation or quotation marks around an address. */
const SURROUNDINGS = /^(?:[.'`*|]|=(?!\?))+|[.'`*-]+$/g;
/** Addresses of mail systems, which report failures and are never the failed recipient. */
const SYSTEM_NAME =
  /^(?:mailer-?daemon|mail-?daemon|daemon|post-?master|double-bounce|bounces?|abuse|hostmaster|no-?reply|do-?not-?reply|mailsystem|smtpd|xmail|listserv|(?:m|mail)delivery)$/;

/** Returns the addresses of one line in order, without duplicates or addresses of mail systems. */
export function findAddresses(line: string): EmailAddress[] {
  return findAllAddresses(line).filter((address) => !isSystemAddress(address));
}

/** Returns the addresses of one line in order, without duplicates. */
export function findAllAddresses(line: string): EmailAddress[] {
  if (!line.includes("@")) return [];
  const found = new Set<EmailAddress>();
  for (const match of line.matchAll(BRACKETED_OR_BARE)) {
    const address = cleanAddress(match[1] ?? match[2] ?? "");
    if (address !== undefined) found.add(address);
    if (found.size >= MAX_ADDRESSES_PER_LINE) break;
  }
  return [...found];
}

function isSystemAddress(address: EmailAddress): boolean {
  return SYSTEM_NAME.test(address.slice(0, address.lastIndexOf("@")));
}

function cleanAddress(text: string): EmailAddress | undefined {
  const parsed = parseEmailAddress(text.replace(TYPE_PREFIX, "").replace(SURROUNDINGS, ""));
  if (!parsed.ok || !parsed.address.includes(".", parsed.address.lastIndexOf("@")))
    return undefined;
  return parsed.address;
}
