import ipaddr from "ipaddr.js";
import { OperatorError } from "../command-line.ts";

/** Sources of the public URL, in order of precedence. */
export interface AddressSources {
  /** From --domain. */
  domain: string | undefined;
  /** BASE_URL in wrangler.toml. */
  configured: string | undefined;
  /** BASE_URL of the currently deployed Worker. */
  deployed: string | undefined;
  /** Host name at workers.dev; `undefined` if it is disabled. */
  workersDevHost: string | undefined;
}

export interface ChosenAddress {
  baseUrl: string;
  /** The URL used so far in emailed links, if it differs. */
  replaced: string | undefined;
}

/**
 * Chooses BASE_URL. Throws OperatorError for a URL that recipients cannot reach, because emailed
 * links cannot be changed later.
 */
export function chooseBaseUrl(sources: AddressSources): ChosenAddress {
  const { domain, configured, deployed, workersDevHost } = sources;
  const usable = deployed && !refusalOf(deployed) ? deployed : undefined;
  const chosen = domain
    ? `https://${domain}`
    : configured || usable || (workersDevHost && `https://${workersDevHost}`);
  if (!chosen) {
    throw new OperatorError(
      "the service has no public URL: set one with --domain mail.example.com, or register a " +
        "workers.dev name for the account (dashboard, Workers & Pages)",
    );
  }
  const refusal = refusalOf(chosen);
  if (refusal) throw new OperatorError(`BASE_URL ${chosen} ${refusal}`);
  const baseUrl = new URL(chosen).origin;
  const replaced = usable && new URL(usable).origin !== baseUrl ? usable : undefined;
  return { baseUrl, replaced };
}

/** Returns why a URL cannot be used in mails; `undefined` if it can. */
export function refusalOf(address: string): string | undefined {
  if (!URL.canParse(address)) return "is not a URL such as https://mail.example.com";
  const url = new URL(address);
  if (isPrivateHost(url.hostname)) return "points to this machine or a private network";
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.pathname !== "/" || url.search !== "") return "must have no path";
  return undefined;
}

function isPrivateHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(name)) return ipaddr.process(name).range() !== "unicast";
  return !name.includes(".") || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}
