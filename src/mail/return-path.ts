/**
 * The pattern of a return path, such as `bounces+{token}@bounce.example.com`. In the envelope
 * sender of each mail, a token replaces `{token}`.
 */
import { addressFault, type AddressFaultCode } from "../messages/addresses.ts";
import type { Message, Params } from "../messages/message.ts";
import { domainOf, parseEmailAddress } from "./address.ts";

const PLACE = "{token}";

/** Length of a token; it has only lowercase letters and the digits 2 to 7. */
export const RETURN_PATH_TOKEN_LENGTH = 42;

const TOKEN = new RegExp(`[a-z2-7]{${RETURN_PATH_TOKEN_LENGTH}}`);

/** Returns true if an address may contain a token. */
export const holdsToken = (address: string) => TOKEN.test(address);

/** Result of `parseReturnPath`; `fault` gives the reason without repeating the input. */
export type ReturnPathResult = { ok: true; returnPath: string } | { ok: false; fault: Message };

/**
 * Parses a pattern. It must be an ASCII address with `{token}` exactly once before the @. With a
 * token filled in, the local part must fit into 64 characters (RFC 5321 section 4.5.3.1.1).
 */
export function parseReturnPath(text: string): ReturnPathResult {
  if (/[\r\n]/.test(text)) return refuse("return_path_line_break");
  const pattern = text.trim().toLowerCase();
  const local = pattern.slice(0, pattern.lastIndexOf("@"));
  if (pattern.split(PLACE).length !== 2 || !local.includes(PLACE))
    return refuse("return_path_token");
  if (/[^ -~]/.test(local)) return refuse("return_path_not_ascii");
  const parsed = parseEmailAddress(fillReturnPath(pattern, "a".repeat(RETURN_PATH_TOKEN_LENGTH)));
  if (!parsed.ok)
    return refuse("return_path_with_token", {
      characters: RETURN_PATH_TOKEN_LENGTH,
      reason: parsed.fault,
    });
  return { ok: true, returnPath: `${local}@${domainOf(parsed.address)}` };
}

/** Returns the address of a pattern with this token. */
export function fillReturnPath(pattern: string, token: string): string {
  return pattern.replace(PLACE, token);
}

/** Returns the domain of a pattern; null for none. */
export function returnPathDomain(pattern: string | null): string | null {
  return pattern === null ? null : pattern.slice(pattern.lastIndexOf("@") + 1);
}

/** Common separators between a mailbox and its suffix (subaddressing). */
const SEPARATORS = /[+=._-]+$/;

/**
 * Returns true if an address matches a pattern, with anything or nothing in place of the token:
 * `bounces@…` matches `bounces+{token}@…`.
 */
export function fitsReturnPath(pattern: string, address: string): boolean {
  const [before = "", after = ""] = pattern.split(PLACE);
  const given = address.toLowerCase();
  if (given === `${before.replace(SEPARATORS, "")}${after}`) return true;
  const isLongEnough = given.length >= before.length + after.length;
  return isLongEnough && given.startsWith(before) && given.endsWith(after);
}

const refuse = (code: AddressFaultCode, params?: Params) =>
  ({ ok: false, fault: addressFault(code, params) }) as const;
