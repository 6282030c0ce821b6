/* SPF of the envelope sender's domain (RFC 7208) for the project's outgoing server. */
import type { AskDns } from "../../lib/dns-session.ts";
import type { IpAddress } from "../net/special-addresses.ts";
import {
  type CheckItem,
  findTexts,
  type Judged,
  judged,
  NOT_ANSWERED,
  shown,
  type SuggestedRecord,
} from "./check-item.ts";
import { judgeSpf, passesAnybody, passesNobody } from "./judge-spf.ts";
import { type LoadedSpf, loadSpf, SPF_LOOKUPS_MAX } from "./load-spf.ts";
import { knownInclude } from "./known-includes.ts";
import { SPF_TEXT } from "./spf-record.ts";

/** A project's SMTP server. `addresses` is empty if unknown. */
export interface SendingServer {
  host: string;
  addresses: IpAddress[];
}

export async function checkSpf(
  ask: AskDns,
  domain: string,
  server: SendingServer,
): Promise<CheckItem> {
  const item = { check: "spf" as const, domain, found: [], record: null };
  const texts = await findTexts(ask, domain, SPF_TEXT);
  if (!texts) return { ...item, ...NOT_ANSWERED };
  const found = shown(texts);
  const suggest = (value: string): SuggestedRecord => ({ name: domain, type: "TXT", value });
  const [text, ...others] = texts;
  if (text === undefined)
    return {
      ...item,
      ...judged("problem", "spf_missing"),
      record: suggest(`v=spf1 ${mechanismFor(server)} ~all`),
    };
  if (others.length > 0) return { ...item, found, ...judged("problem", "spf_several") };
  const loaded = await loadSpf(ask, domain, text, typesOf(server));
  const { value, ...finding } = judge(loaded, text, server);
  return { ...item, found, ...finding, record: value === undefined ? null : suggest(value) };
}

function typesOf({ addresses }: SendingServer): ("A" | "AAAA")[] {
  const kinds = new Set(addresses.map((address) => address.kind()));
  return [
    ...(kinds.has("ipv4") ? ["A" as const] : []),
    ...(kinds.has("ipv6") ? ["AAAA" as const] : []),
  ];
}

function judge(
  loaded: LoadedSpf,
  text: string,
  server: SendingServer,
): Judged & { value?: string } {
  const { node, fault, lookups, isPartial } = loaded;
  const { host, addresses } = server;
  const facts = { host, used: lookups, max: SPF_LOOKUPS_MAX };
  if (fault) return judged("problem", "spf_ignored", { reason: fault });
  if (passesAnybody(node)) return judged("warning", "spf_open");
  if (isNamed(loaded, server)) return judged("ok", "spf_includes_provider", facts);
  const results = addresses.map((address) => judgeSpf(node, address));
  if (results.length > 0 && results.every((result) => result === "pass"))
    return judged("ok", "spf_names_server", facts);
  const value = withMechanism(text, mechanismFor(server));
  if (!isPartial && passesNobody(node)) return { ...judged("problem", "spf_names_nobody"), value };
  if (isPartial) return NOT_ANSWERED;
  // A relay may send from addresses other than those that accept mail from this service.
  const lacks = results.includes("pass") ? "spf_lacks_addresses" : "spf_lacks_server";
  const code = addresses.length === 0 ? "spf_server_unknown" : lacks;
  return { ...judged("unknown", code, facts), value };
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

/** Inserts a mechanism where it takes effect before the others. */
const withMechanism = (text: string, mechanism: string): string =>
  `${text.slice(0, "v=spf1".length)} ${mechanism}${text.slice("v=spf1".length)}`.trim();
