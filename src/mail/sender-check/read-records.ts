/* Reads DNS records, which are untrusted. */
import type { DnsType } from "../../lib/ask-dns.ts";
import type { AskDns } from "../../lib/dns-session.ts";
import { readTxt } from "../../lib/read-txt.ts";
import { type IpAddress, parseIpAddress } from "../net/special-addresses.ts";

/** A valid query name with at least two labels: letters, digits, hyphens, underscores. */
const NAME = /^(?=.{3,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/i;

export const isDnsName = (text: string): boolean => NAME.test(text);

/**
 * Returns the records of a name; none for text that is not a name, and undefined if DNS did not
 * respond.
 */
export async function findRecords(
  ask: AskDns,
  name: string,
  type: DnsType,
): Promise<string[] | undefined> {
  if (!isDnsName(name)) return [];
  const answer = await ask(name, type);
  if (answer.kind === "no_such_name") return [];
  return answer.kind === "records" ? answer.data : undefined;
}

/** Returns the TXT records at a name that match a pattern, or undefined if DNS did not respond. */
export async function findTexts(
  ask: AskDns,
  name: string,
  pattern: RegExp,
): Promise<string[] | undefined> {
  const records = await findRecords(ask, name, "TXT");
  return records?.map(readTxt).filter((text) => pattern.test(text));
}

/** Parses the address of a record. */
export function readAddress(text: string): IpAddress[] {
  const lower = text.toLowerCase();
  return [parseIpAddress(lower.includes(":") ? `[${lower}]` : lower) ?? []].flat();
}

/**
 * Parses a tag list, `name=value` separated by semicolons (RFC 6376 §3.2); undefined for any other
 * text.
 */
export function readTags(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    if (part.trim() === "") continue;
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(0, at)).trim().toLowerCase();
    if (!/^[a-z][a-z0-9_]*$/.test(name) || tags.has(name)) return undefined;
    tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}
