/* SPF of the envelope sender's domain (RFC 7208) for the project's outgoing servers. */
import type { IpAddress } from "../net/special-addresses.ts";
import {
  type CheckItem,
  itemOf,
  type Judged,
  judged,
  NOT_ANSWERED,
  type SuggestedRecord,
} from "./check-item.ts";
import { knownInclude } from "./known-includes.ts";
import { type Spf, SPF_LOOKUPS_MAX } from "./load-spf.ts";
import type { SpfNetwork } from "./parse-spf.ts";
import type { SenderFacts, SendingServer } from "./read-facts.ts";

/** Checks the record for each server. */
export function checkSpf({ envelopeDomain: domain, spf, servers }: SenderFacts): CheckItem[] {
  const { texts, loaded } = spf;
  const suggest = (value: string): SuggestedRecord => ({ name: domain, type: "TXT", value });
  return servers.map((server) => {
    if (!texts) return itemOf("spf", domain, NOT_ANSWERED);
    const [text] = texts;
    const mechanism = mechanismFor(server);
    if (text === undefined) {
      const record = suggest(`v=spf1 ${mechanism} ~all`);
      return itemOf("spf", domain, judged("problem", "spf_missing"), [], record);
    }
    if (!loaded) return itemOf("spf", domain, judged("problem", "spf_several"), texts);
    const finding = judge(loaded, server);
    const isLacking = finding.code === "spf_names_nobody" || finding.code === "spf_lacks_server";
    const record = isLacking ? suggest(withMechanism(text, mechanism)) : null;
    return itemOf("spf", domain, finding, texts, record);
  });
}

function judge(spf: Spf, { host, addresses }: SendingServer): Judged {
  const facts = { host, used: spf.lookups, max: SPF_LOOKUPS_MAX };
  if (spf.fault) return judged("problem", "spf_ignored", { reason: spf.fault });
  if (spf.isOpen) return judged("warning", "spf_open");
  if (spf.named.has(knownInclude(host) ?? "")) return judged("ok", "spf_includes_provider", facts);
  const isNamed = (address: IpAddress) => spf.networks.some((network) => isIn(network, address));
  if (addresses.length > 0 && addresses.every(isNamed))
    return judged("ok", "spf_names_server", facts);
  if (spf.isPartial) return NOT_ANSWERED;
  if (!spf.namesSomebody) return judged("problem", "spf_names_nobody");
  // A relay may send from addresses other than those that accept mail from this service.
  return judged("unknown", "spf_lacks_server", facts);
}

const isIn = ({ address: network, prefix }: SpfNetwork, address: IpAddress): boolean =>
  network.kind() === address.kind() && address.match(network, prefix);

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
