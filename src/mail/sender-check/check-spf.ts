/* SPF of the domain in the envelope sender (RFC 7208), for the server that the mail leaves through. */
import type { AskDns } from "../../lib/dns-session.ts";
import type { IpAddress } from "../net/special-addresses.ts";
import {
  type CheckItem,
  findTexts,
  NOT_ANSWERED,
  printable,
  shown,
  type SuggestedRecord,
} from "./check-item.ts";
import { judgeSpf, passesAnybody, passesNobody } from "./judge-spf.ts";
import { type LoadedSpf, loadSpf, SPF_LOOKUPS_MAX } from "./load-spf.ts";
import { knownInclude } from "./known-includes.ts";
import { SPF_TEXT } from "./spf-record.ts";

/** The SMTP server of a project. `addresses` is empty if they are unknown. */
export interface SendingServer {
  host: string;
  addresses: IpAddress[];
}

type Judged = Pick<CheckItem, "verdict" | "explanation"> & { value?: string };

export async function checkSpf(
  ask: AskDns,
  domain: string,
  server: SendingServer,
): Promise<CheckItem> {
  const item = { check: "spf" as const, domain, found: [], record: null };
  const texts = await findTexts(ask, domain, SPF_TEXT);
  if (!texts) return { ...item, verdict: "unknown", explanation: NOT_ANSWERED };
  const found = shown(texts);
  const suggest = (value: string): SuggestedRecord => ({ name: domain, type: "TXT", value });
  const [text, ...others] = texts;
  if (text === undefined)
    return {
      ...item,
      verdict: "problem",
      explanation: "The domain has no SPF record, so no server is known to send for it.",
      record: suggest(`v=spf1 ${mechanismFor(server)} ~all`),
    };
  if (others.length > 0)
    return {
      ...item,
      found,
      verdict: "problem",
      explanation:
        "The domain has several SPF records, so servers ignore all of them. Join them into one.",
    };
  const loaded = await loadSpf(ask, domain, text, typesOf(server));
  const { value, ...judged } = judge(loaded, text, server);
  return { ...item, found, ...judged, record: value === undefined ? null : suggest(value) };
}

function typesOf({ addresses }: SendingServer): ("A" | "AAAA")[] {
  const kinds = new Set(addresses.map((address) => address.kind()));
  return [
    ...(kinds.has("ipv4") ? ["A" as const] : []),
    ...(kinds.has("ipv6") ? ["AAAA" as const] : []),
  ];
}

function judge(loaded: LoadedSpf, text: string, server: SendingServer): Judged {
  const { node, fault, lookups, isPartial } = loaded;
  const used = `It needs ${lookups} of ${SPF_LOOKUPS_MAX} look-ups.`;
  if (fault !== undefined)
    return {
      verdict: "problem",
      explanation: `Servers ignore the record (permerror): ${printable(fault)}.`,
    };
  if (passesAnybody(node))
    return {
      verdict: "warning",
      explanation: "The record lets anybody send for the domain: end it with ~all or -all.",
    };
  if (isNamed(loaded, server))
    return {
      verdict: "ok",
      explanation: `The record includes the provider of ${server.host}. ${used}`,
    };
  const results = server.addresses.map((address) => judgeSpf(node, address));
  if (results.length > 0 && results.every((result) => result === "pass"))
    return {
      verdict: "ok",
      explanation: `The record names the addresses of ${server.host}. ${used}`,
    };
  const value = withMechanism(text, mechanismFor(server));
  if (!isPartial && passesNobody(node))
    return {
      verdict: "problem",
      explanation: "The record names no server that may send for the domain.",
      value,
    };
  if (isPartial) return { verdict: "unknown", explanation: NOT_ANSWERED };
  return {
    verdict: "unknown",
    explanation: `${doubtOf(server, results.includes("pass"))} ${used}`,
    value,
  };
}

/** A relay may send from other addresses than those that take the mail from this service. */
function doubtOf({ host, addresses }: SendingServer, isHalf: boolean): string {
  const what =
    addresses.length === 0
      ? `The addresses of ${host} are not known, so the record cannot be compared with them.`
      : `The record does not name ${isHalf ? "all addresses" : "the address"} of ${host}.`;
  return `${what} A relay often sends from others: look at Received-SPF in a mail that arrived, or ask your provider what to include.`;
}

const isNamed = ({ named }: LoadedSpf, { host }: SendingServer): boolean => {
  const include = knownInclude(host);
  return include !== undefined && named.has(include);
};

function mechanismFor({ host, addresses }: SendingServer): string {
  const include = knownInclude(host);
  if (include !== undefined) return `include:${include}`;
  const [address] = addresses;
  if (!address || address.toString() !== host.replaceAll(/[[\]]/g, "")) return `a:${host}`;
  return `${address.kind() === "ipv4" ? "ip4" : "ip6"}:${address.toString()}`;
}

/** Adds a mechanism where it counts before the others. */
const withMechanism = (text: string, mechanism: string): string =>
  `${text.slice(0, "v=spf1".length)} ${mechanism}${text.slice("v=spf1".length)}`.trim();
