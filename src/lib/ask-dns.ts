/*
 * Sends one query to a resolver that supports the JSON form of DNS-over-HTTPS
 * (`application/dns-json`: `{Status, Answer: [{type, data}]}`).
 *
 * A hostile resolver may hang, redirect, or respond endlessly or with anything. Every query has a
 * timeout, a response is read up to 64 KiB, redirects are not followed, and anything ambiguous is
 * "unknown".
 */
import { readLimited } from "./read-limited.ts";

export interface DnsResolver {
  fetch: typeof fetch;
  /** URL of the DoH resolver. */
  url: string;
  timeoutMs: number;
}

/** Record types (RFC 1035 §3.2.2, RFC 3596 §2.1) and response codes (RFC 1035 §4.1.1). */
const TYPE = { A: 1, MX: 15, TXT: 16, AAAA: 28 } as const;
export type DnsType = keyof typeof TYPE;
const NO_ERROR = 0;
const NAME_ERROR = 3;

const MAX_ANSWER_BYTES = 65_536;

/** `no_answer`: the resolver did not respond in time; `unknown`: its response is inconclusive. */
export type DnsAnswer =
  | { kind: "records"; data: string[] }
  | { kind: "no_such_name" }
  | { kind: "unknown" }
  | { kind: "no_answer" };

/** Queries the records of one type. Never throws. */
export async function askDns(
  { fetch, url, timeoutMs }: DnsResolver,
  name: string,
  type: DnsType,
): Promise<DnsAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const question = new URL(url);
    question.searchParams.set("name", name);
    question.searchParams.set("type", type);
    const response = await fetch(question.href, {
      headers: { accept: "application/dns-json" },
      redirect: "manual",
      signal: timeout,
    });
    const body = await readLimited(response.body, MAX_ANSWER_BYTES);
    if (!response.ok || !body.ok) return { kind: "unknown" };
    return readAnswer(JSON.parse(new TextDecoder().decode(body.bytes)), TYPE[type]);
  } catch {
    return { kind: timeout.aborted ? "no_answer" : "unknown" };
  }
}

/**
 * Parses a response. It may start with followed CNAMEs, so only records of the queried type count.
 */
function readAnswer(json: unknown, type: number): DnsAnswer {
  const { Status: status, Answer: answer = [] } = objectOf(json);
  if (status === NAME_ERROR) return { kind: "no_such_name" };
  if (status !== NO_ERROR || !Array.isArray(answer)) return { kind: "unknown" };
  const records = answer.map(objectOf).filter((record) => record["type"] === type);
  const data = records.map((record) => record["data"]).filter((text) => typeof text === "string");
  return data.length === records.length ? { kind: "records", data } : { kind: "unknown" };
}

function objectOf(value: unknown): Record<string, unknown> {
  // Any property of an object may be read; the caller validates each.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
