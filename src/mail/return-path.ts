/**
 * The pattern of a return path, such as `bounces+{token}@bounce.example.com`. A token takes the
 * place of `{token}` in the envelope sender of each mail.
 */
import { addressFault, type AddressFaultCode } from "../messages/addresses.ts";
import type { Message, Params } from "../messages/message.ts";
import { domainOf, parseEmailAddress } from "./address.ts";

const PLACE = "{token}";

/** The length of a token; it has only lower-case letters and the digits 2 to 7. */
export const RETURN_PATH_TOKEN_LENGTH = 42;

const TOKEN = new RegExp(`[a-z2-7]{${RETURN_PATH_TOKEN_LENGTH}}`);

/** Tells whether an address may have a token in it. */
export const holdsToken = (address: string) => TOKEN.test(address);

/** Result of `parseReturnPath`; `fault` explains a refusal without repeating the input. */
export type ReturnPathResult = { ok: true; returnPath: string } | { ok: false; fault: Message };

/**
 * Parses a pattern. It must be an ASCII address with `{token}` exactly once before the @, and with
 * a token in it, the part before the @ must fit into 64 characters (RFC 5321 section 4.5.3.1.1).
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

/** Characters that commonly stand between a mailbox and what is added to it. */
const SEPARATORS = /[+=._-]+$/;

/**
 * Tells whether an address has the form of a pattern, with anything in the place of the token, or
 * nothing at all: `bounces@…` fits `bounces+{token}@…`.
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
