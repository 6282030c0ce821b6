/*
 * Checks that a domain accepts mail, through the JSON form of DNS-over-HTTPS
 * (`application/dns-json`: `{Status, Answer: [{type, data}]}`). Without MX records, address records
 * count as one (RFC 5321 §5.1). A single MX of "." accepts no mail (RFC 7505).
 *
 * A hostile resolver may hang, redirect, or respond without end or with anything. Every query has a
 * timeout, a response is read up to 64 KiB, redirects are not followed, and anything unclear is
 * "unknown". Queried names consist of letters, digits, hyphens and dots (mail/address.ts).
 */
import { readLimited } from "./read-limited.ts";

/** `no_answer`: the resolver did not respond in time; `unknown`: its response is inconclusive. */
export type MxVerdict = "takes_mail" | "no_mail" | "unknown" | "no_answer";

export interface DnsResolver {
  fetch: typeof fetch;
  /** URL of the DoH resolver. */
  url: string;
  timeoutMs: number;
}

/** Record types (RFC 1035 §3.2.2, RFC 3596 §2.1) and response codes (RFC 1035 §4.1.1). */
const TYPE = { A: 1, MX: 15, AAAA: 28 } as const;
const NO_ERROR = 0;
const NAME_ERROR = 3;

const MAX_ANSWER_BYTES = 65_536;
/** A null MX (RFC 7505 §3): a preference, and the root as the exchange. */
const NULL_MX = /^\d+\s+\.$/;

type Answer =
  | { kind: "records"; data: string[] }
  | { kind: "no_such_name" }
  | { kind: "unknown" }
  | { kind: "no_answer" };

/** Queries MX, and A and AAAA only if there is none. Never throws. */
export async function resolveMx(resolver: DnsResolver, domain: string): Promise<MxVerdict> {
  const mx = await ask(resolver, domain, "MX");
  if (mx.kind === "records" && mx.data.length > 0)
    return mx.data.every((data) => NULL_MX.test(data)) ? "no_mail" : "takes_mail";
  if (mx.kind !== "records") return mx.kind === "no_such_name" ? "no_mail" : mx.kind;
  for (const type of ["A", "AAAA"] as const) {
    const address = await ask(resolver, domain, type);
    if (address.kind === "unknown" || address.kind === "no_answer") return address.kind;
    if (address.kind === "records" && address.data.length > 0) return "takes_mail";
  }
  return "no_mail";
}

async function ask(
  { fetch, url, timeoutMs }: DnsResolver,
  name: string,
  type: keyof typeof TYPE,
): Promise<Answer> {
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
 * Reads a response. It may start with followed CNAMEs, so only records of the queried type count.
 */
function readAnswer(json: unknown, type: number): Answer {
  const { Status: status, Answer: answer = [] } = objectOf(json);
  if (status === NAME_ERROR) return { kind: "no_such_name" };
  if (status !== NO_ERROR || !Array.isArray(answer)) return { kind: "unknown" };
  const records = answer.map(objectOf).filter((record) => record["type"] === type);
  const data = records.map((record) => record["data"]).filter((text) => typeof text === "string");
  return data.length === records.length ? { kind: "records", data } : { kind: "unknown" };
}

function objectOf(value: unknown): Record<string, unknown> {
  // Of an object every field may be read; the caller checks each.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
