/**
 * Email addresses and mailboxes: RFC 5321 section 4.1.2 (dot-string local parts), RFC 5322
 * section 3.4, RFC 6531 (UTF-8 local parts) and IDNA domains as A-labels.
 *
 * Addresses go into SMTP commands and header lines, so a hostile one tries to smuggle in line
 * breaks, angle brackets or spaces. Only this parser creates an `EmailAddress`, and it refuses all
 * of those. Every pattern is linear. The parser refuses overlong input before it matches anything.
 */
import { addressFault, type AddressFaultCode } from "../messages/addresses.ts";
import type { Message } from "../messages/message.ts";
import { domainToASCII } from "node:url";

/** An address from `parseEmailAddress`: lowercase, domain in A-labels, no control characters. */
export type EmailAddress = string & { readonly __brand: "EmailAddress" };

/** An address with a display name; `name` is "" if there is none. */
export type Mailbox = { name: string; address: EmailAddress };

/** Result of `parseEmailAddress`; `fault` gives the reason without repeating the input. */
export type AddressResult = { ok: true; address: EmailAddress } | { ok: false; fault: Message };

/** Result of `parseMailbox`; `fault` gives the reason without repeating the input. */
export type MailboxResult = { ok: true; mailbox: Mailbox } | { ok: false; fault: Message };

/** Maximum local part in octets (RFC 5321 section 4.5.3.1.1). */
const MAX_LOCAL_PART_OCTETS = 64;
/** Maximum address in octets: a path of 256 (RFC 5321 section 4.5.3.1.3) without its brackets. */
const MAX_ADDRESS_OCTETS = 254;
/**
 * Maximum display name in UTF-16 units; our own limit, so that one mailbox cannot fill a header
 * section.
 */
const MAX_NAME_LENGTH = 500;

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
/** Spaces, control and format characters, which no part of an address may contain, ASCII or not. */
const INVISIBLE = /[\p{C}\p{Z}]/u;
const NON_ASCII = /[^ -~]/;
const DOT_STRING =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+)*$/u;
/**
 * Characters that a domain may contain before IDNA maps it; keeps `%41` and the like from the
 * mapper.
 */
const DOMAIN_CHARACTERS = /^[a-z0-9.\u0080-\u{10ffff}-]+$/u;
/**
 * Labels of letters, digits and hyphens (RFC 1035 section 2.3.1); the last label is not a number.
 */
const DOTTED_DOMAIN =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

const encoder = new TextEncoder();

/**
 * Parses one bare address. No other function creates an `EmailAddress`. Trims and lowercases the
 * text (including the local part), normalizes a UTF-8 local part to NFC, and maps the domain to
 * A-labels. A lowercase letter may compose where its capital does not, so NFC is applied again
 * afterwards: each address has exactly one normalized form, on which erasures rely. Every domain
 * except `localhost` needs a dot. Quoted local parts and address literals are rejected. Source: RFC
 * 5321 section 4.1.2, RFC 6531 section 3.3, RFC 6532 section 3.1.
 */
export function parseEmailAddress(text: string): AddressResult {
  const trimmed = text.trim();
  if (trimmed === "") return refuse("address_empty");
  if (trimmed.length > MAX_ADDRESS_OCTETS) return refuse("address_too_long");
  const at = trimmed.lastIndexOf("@");
  if (at === -1) return refuse("address_without_at");
  if (INVISIBLE.test(trimmed)) {
    return refuse("address_invisible");
  }
  const local = trimmed.slice(0, at).normalize("NFC").toLowerCase().normalize("NFC");
  const domain = asciiDomain(trimmed.slice(at + 1).toLowerCase());
  const code = localPartFault(local) ?? domainFault(domain);
  if (code !== undefined) return refuse(code);
  const address = `${local}@${domain}`;
  if (octets(address) > MAX_ADDRESS_OCTETS) return refuse("address_too_long");
  return { ok: true, address: address as EmailAddress };
}

/**
 * Parses one mailbox, never a list: `a@b.example`, `Name <a@b.example>` or `"Quoted, Name"
 * <a@b.example>`. Source: RFC 5322 section 3.4, without comments and routes.
 */
export function parseMailbox(text: string): MailboxResult {
  const trimmed = text.trim();
  if (trimmed.length > MAX_NAME_LENGTH + MAX_ADDRESS_OCTETS) return refuse("mailbox_too_long");
  if (!trimmed.endsWith(">")) return withName("", parseEmailAddress(trimmed));
  const open = trimmed.lastIndexOf("<");
  if (open === -1) return refuse("mailbox_unopened");
  const name = parseDisplayName(trimmed.slice(0, open).trim());
  if (name === undefined) return refuse("mailbox_name_invalid");
  return withName(name, parseEmailAddress(trimmed.slice(open + 1, -1)));
}

/** Returns the domain of an address, in A-labels. */
export function domainOf(address: EmailAddress): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** Returns true for an address with a non-ASCII local part, which needs SMTPUTF8 (RFC 6531). */
export function needsSmtpUtf8(address: EmailAddress): boolean {
  return NON_ASCII.test(address);
}

const refuse = (code: AddressFaultCode) => ({ ok: false, fault: addressFault(code) }) as const;

const octets = (text: string) => (NON_ASCII.test(text) ? encoder.encode(text).length : text.length);

const withName = (name: string, parsed: AddressResult): MailboxResult =>
  parsed.ok ? { ok: true, mailbox: { name, address: parsed.address } } : parsed;

/** Maps a domain to A-labels. Returns "" on failure, which `domainFault` rejects. */
function asciiDomain(domain: string): string {
  if (!NON_ASCII.test(domain)) return domain;
  return DOMAIN_CHARACTERS.test(domain) ? domainToASCII(domain) : "";
}

function localPartFault(local: string): AddressFaultCode | undefined {
  if (local === "") return "local_part_empty";
  if (octets(local) > MAX_LOCAL_PART_OCTETS) return "local_part_too_long";
  if (local.startsWith('"')) return "local_part_quoted";
  if (!DOT_STRING.test(local)) return "local_part_invalid";
  return undefined;
}

function domainFault(domain: string): AddressFaultCode | undefined {
  if (domain === "localhost" || DOTTED_DOMAIN.test(domain)) return undefined;
  if (domain.startsWith("[")) return "address_literal";
  return "domain_invalid";
}

function parseDisplayName(text: string): string | undefined {
  if (UNPRINTABLE.test(text)) return undefined;
  if (!text.startsWith('"')) return /["<>,;]/.test(text) ? undefined : text;
  const quoted = /^"((?:[^"\\]|\\.)*)"$/u.exec(text)?.[1];
  return quoted?.replace(/\\(.)/gu, "$1").trim();
}
