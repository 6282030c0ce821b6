import ipaddr from "ipaddr.js";
import { OperatorError } from "../command-line.ts";

/** Everything that decides the public address, the strongest first. */
export interface AddressSources {
  /** From --domain. */
  domain: string | undefined;
  /** BASE_URL of wrangler.toml. */
  configured: string | undefined;
  /** BASE_URL of the Worker that is deployed now. */
  deployed: string | undefined;
  /** Name of the Worker at workers.dev; `undefined` when it is not served there. */
  workersDevHost: string | undefined;
}

export interface ChosenAddress {
  baseUrl: string;
  /** Address that mails with links have carried so far, when it differs. */
  replaced: string | undefined;
}

/**
 * Chooses BASE_URL. Throws OperatorError for an address that the recipient of a mail cannot reach:
 * a link that was mailed cannot be recalled.
 */
export function chooseBaseUrl(sources: AddressSources): ChosenAddress {
  const { domain, configured, deployed, workersDevHost } = sources;
  const usable = deployed && !refusalOf(deployed) ? deployed : undefined;
  const chosen = domain
    ? `https://${domain}`
    : configured || usable || (workersDevHost && `https://${workersDevHost}`);
  if (!chosen) {
    throw new OperatorError(
      "the service has no public address: name one with --domain mail.example.com, or register a " +
        "workers.dev name for the account (dashboard, Workers & Pages)",
    );
  }
  const refusal = refusalOf(chosen);
  if (refusal) throw new OperatorError(`BASE_URL ${chosen} ${refusal}`);
  const baseUrl = new URL(chosen).origin;
  const replaced = usable && new URL(usable).origin !== baseUrl ? usable : undefined;
  return { baseUrl, replaced };
}

/** Returns the reason why an address cannot be in mails, or `undefined`. */
export function refusalOf(address: string): string | undefined {
  if (!URL.canParse(address)) return "is no address such as https://mail.example.com";
  const url = new URL(address);
  if (isPrivateHost(url.hostname)) return "leads to this machine or a private network";
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.pathname !== "/" || url.search !== "") return "must have no path";
  return undefined;
}

function isPrivateHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(name)) return ipaddr.process(name).range() !== "unicast";
  return !name.includes(".") || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}
