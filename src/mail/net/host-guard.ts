/*
 * Decides which hosts customers can make this service contact: webhook, SMTP and IMAP hosts (SSRF
 * protection).
 *
 * A hostile customer names our own network: loopback, private or metadata addresses in any
 * notation, embedded in IPv6, or a name that only resolves internally. The WHATWG URL parser
 * normalizes names and addresses before the check. Public names are not resolved: the result could
 * change a moment later, and the platform itself blocks private addresses when it connects.
 */
import { recentValues } from "../../lib/recent-values.ts";
import { hostReason, type HostCode } from "../../messages/hosts.ts";
import type { Message } from "../../messages/message.ts";
import { isCloudflareAddress, isCloudflareMailHost } from "./cloudflare-addresses.ts";
import { isLoopbackAddress, isPublicAddress, parseIpAddress } from "./special-addresses.ts";

/** `allowPrivate` accepts every valid host, for local development. */
export interface HostGuardOptions {
  allowPrivate: boolean;
}

/** The normalized host (lowercase, Punycode, IPv6 in brackets), or the reason it is rejected. */
export type HostCheck = { ok: true; host: string } | Rejected;

/** The normalized URL, or the reason it is rejected. */
export type UrlCheck = { ok: true; url: string } | Rejected;

type Rejected = { ok: false; reason: Message<HostCode> };

const rejected = (code: HostCode): Rejected => ({ ok: false, reason: hostReason(code) });

const NAME_CHARACTERS_MAX = 253; // RFC 1035 section 2.3.4, without the trailing root dot
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Characters that belong to a URL rather than a host; the IPv6 check covers the colon. */
const FORBIDDEN_IN_HOST = /[\p{Cc}\p{Z}/\\@?#%<>^|]/u;
const FORBIDDEN_IN_URL = /[\p{Cc}\p{Z}\\]/u;

/**
 * A web URL with both slashes: the URL parser also accepts "http:example.com" and
 * "http:///example.com".
 */
const WEB_URL = /^https?:\/\/[^/]/i;

/**
 * Names that never belong to the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal).
 */
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
  const host = normalizeHost(input);
  if (host === undefined) return rejected("host_invalid");
  if (options.allowPrivate) return { ok: true, host };
  const code = privateCode(host);
  return code === undefined ? { ok: true, host } : rejected(code);
}

/**
 * Checks the host of a mail server like `checkHost`, and also rejects known Cloudflare hosts,
 * because Workers cannot connect to them. A name that resolves to one is detected by the test of
 * the settings.
 */
export function checkMailHost(input: string, options: HostGuardOptions): HostCheck {
  const check = checkHost(input, options);
  if (!check.ok || options.allowPrivate) return check;
  const address = parseIpAddress(check.host);
  const isTheirs = address ? isCloudflareAddress(address) : isCloudflareMailHost(check.host);
  return isTheirs ? rejected("host_of_cloudflare") : check;
}

/** Checks the URL of a webhook: http or https, no credentials, and an acceptable host. */
export function checkUrl(input: string, options: HostGuardOptions): UrlCheck {
  if (FORBIDDEN_IN_URL.test(input) || !URL.canParse(input)) return rejected("url_invalid");
  if (!WEB_URL.test(input)) return rejected("url_not_web");
  const url = new URL(input);
  if (url.username !== "" || url.password !== "") return rejected("url_with_credentials");
  const check = checkHost(url.hostname, options);
  return check.ok ? { ok: true, url: url.href } : check;
}

/** Cached results for recent hosts. */
const loopbacks = recentValues<boolean>(1_024);

/** Returns true for localhost, names under it, 127.0.0.0/8 in any notation, and ::1. */
export const isLoopbackHost = (input: string): boolean => loopbacks.of(input, isLoopback);

function isLoopback(input: string): boolean {
  const host = normalizeHost(input);
  if (host === undefined) return false;
  const address = parseIpAddress(host);
  return address ? isLoopbackAddress(address) : isNameUnder(host, "localhost");
}

/** Normalized hosts of recent inputs; null if invalid. */
const normalized = recentValues<string | null>(1_024);

/** Normalizes a host; undefined if invalid. */
const normalizeHost = (input: string): string | undefined =>
  normalized.of(input, (text) => readHost(text) ?? null) ?? undefined;

function readHost(input: string): string | undefined {
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

function privateCode(host: string): HostCode | undefined {
  const address = parseIpAddress(host);
  if (address) return isPublicAddress(address) ? undefined : "host_not_public";
  if (!host.includes(".")) return "host_incomplete";
  const isPrivate = PRIVATE_SUFFIXES.some((suffix) => isNameUnder(host, suffix));
  return isPrivate ? "host_of_private_network" : undefined;
}

function isNameUnder(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`);
}
