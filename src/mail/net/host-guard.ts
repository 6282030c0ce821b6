/*
 * Decides which hosts a customer may make this service talk to: webhook, SMTP and IMAP hosts.
 *
 * A hostile customer names our own network: loopback, private or metadata addresses in any
 * notation, wrapped into IPv6, or by a name that only resolves inside. Names and addresses are
 * brought to one spelling by the WHATWG URL parser and then judged. What a public name resolves
 * to is not looked up here: the answer could differ a moment later, and the platform itself
 * refuses private addresses when it connects.
 */
import { isLoopbackAddress, isPublicAddress, parseIpAddress } from "./special-addresses.ts";

/** `allowPrivate` lets every valid host pass; it is for local development. */
export interface HostGuardOptions {
  allowPrivate: boolean;
}

/** The host in its one spelling (lower case, punycode, IPv6 in brackets), or why it is refused. */
export type HostCheck = { ok: true; host: string } | { ok: false; reason: string };

/** The URL in its one spelling, or why it is refused. */
export type UrlCheck = { ok: true; url: string } | { ok: false; reason: string };

const NAME_CHARACTERS_MAX = 253; // RFC 1035 section 2.3.4, without the root's dot
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What would be a URL's business rather than a host's; a colon is judged with IPv6. */
const FORBIDDEN_IN_HOST = /[\p{Cc}\p{Z}/\\@?#%<>^|]/u;
const FORBIDDEN_IN_URL = /[\p{Cc}\p{Z}\\]/u;

/** The URL parser also takes "http:example.com" and "http:///example.com". */
const WEB_URL = /^https?:\/\/[^/]/i;

/** Names that never belong to the public Internet (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const PRIVATE_SUFFIXES = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "home.arpa",
  "home",
  "lan",
  "corp",
];

/** Checks a host name or an IP address, IPv6 with or without brackets. */
export function checkHost(input: string, options: HostGuardOptions): HostCheck {
  const host = normaliseHost(input);
  if (host === undefined) return { ok: false, reason: "the host is not a valid name or address" };
  if (options.allowPrivate) return { ok: true, host };
  const reason = privateReason(host);
  return reason === undefined ? { ok: true, host } : { ok: false, reason };
}

/** Checks the URL of a webhook: http or https, no credentials in it, and a host that may pass. */
export function checkUrl(input: string, options: HostGuardOptions): UrlCheck {
  if (FORBIDDEN_IN_URL.test(input) || !URL.canParse(input)) {
    return { ok: false, reason: "the URL is not valid" };
  }
  if (!WEB_URL.test(input)) {
    return { ok: false, reason: "the URL must start with https:// or http://" };
  }
  const url = new URL(input);
  if (url.username !== "" || url.password !== "") {
    return { ok: false, reason: "the URL must not contain a user name or password" };
  }
  const check = checkHost(url.hostname, options);
  return check.ok ? { ok: true, url: url.href } : check;
}

/** True for localhost, names under it, 127.0.0.0/8 in any notation, and ::1. */
export function isLoopbackHost(input: string): boolean {
  const host = normaliseHost(input);
  if (host === undefined) return false;
  const address = parseIpAddress(host);
  return address ? isLoopbackAddress(address) : isNameUnder(host, "localhost");
}

/** One spelling for every host; undefined for what is none. */
function normaliseHost(input: string): string | undefined {
  if (FORBIDDEN_IN_HOST.test(input)) return undefined;
  const bare = input.includes(":") && !input.startsWith("[") ? `[${input}]` : input;
  if (!bare.startsWith("[") && bare.includes("]")) return undefined;
  if (!URL.canParse(`http://${bare}/`)) return undefined;
  const url = new URL(`http://${bare}/`);
  if (url.port !== "" || /\]./.test(bare)) return undefined;
  const host = url.hostname.replace(/\.$/, "");
  return parseIpAddress(host) || isDomainName(host) ? host : undefined;
}

function isDomainName(host: string): boolean {
  return host.length <= NAME_CHARACTERS_MAX && host.split(".").every((label) => LABEL.test(label));
}

function privateReason(host: string): string | undefined {
  const address = parseIpAddress(host);
  if (address) {
    return isPublicAddress(address) ? undefined : "the host is not a public address";
  }
  if (!host.includes(".")) return "the host is not a full domain name";
  const isPrivate = PRIVATE_SUFFIXES.some((suffix) => isNameUnder(host, suffix));
  return isPrivate ? "the host is a name of a private network" : undefined;
}

function isNameUnder(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`);
}
