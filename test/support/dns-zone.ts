/* A DNS in memory, and keys to publish in it. */
import { Buffer } from "node:buffer";
import type { DnsAnswer, DnsType } from "../../src/lib/ask-dns.ts";
import type { AskDns } from "../../src/lib/dns-session.ts";

/** Records by "TYPE name"; a string in place of a list is the kind of another answer. */
export type Zone = Record<string, string[] | "unknown" | "no_answer">;

/** Answers from a zone, and counts the questions. */
export function resolverOf(zone: Zone) {
  const asked: string[] = [];
  const names = new Set(Object.keys(zone).map((key) => key.split(" ")[1]));
  const ask: AskDns = async (name: string, type: DnsType): Promise<DnsAnswer> => {
    asked.push(`${type} ${name}`);
    const found = zone[`${type} ${name}`];
    if (typeof found === "string") return { kind: found };
    if (found) return { kind: "records", data: found };
    return names.has(name) ? { kind: "records", data: [] } : { kind: "no_such_name" };
  };
  return { ask, asked };
}

/** Makes an RSA key; returns its public half as a DKIM record has it. */
export async function rsaKey(bits: number): Promise<string> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: bits,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  if (!("publicKey" in pair)) throw new Error("no pair of keys");
  const spki = await crypto.subtle.exportKey("spki", pair.publicKey);
  if (!(spki instanceof ArrayBuffer)) throw new Error("a key as JWK");
  return Buffer.from(spki).toString("base64");
}
