import { readDomainOwner } from "../cloudflare/account-state.ts";
import { causeOf, type AccountApi, type Fetch } from "../cloudflare/api.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";

/**
 * Verifies that a custom domain is free or already points to this Worker. Without a terminal,
 * wrangler overwrites existing DNS records, which could belong to the mail server. Throws
 * OperatorError.
 */
export async function checkDomain(
  api: AccountApi,
  options: {
    domain: string;
    worker: string;
    replacesDns: boolean;
    fetch: Fetch;
    /** DNS-over-HTTPS resolver with JSON answers. */
    dohUrl: string;
  },
): Promise<void> {
  const { domain, worker } = options;
  const owner = await readDomainOwner(api, domain);
  if (owner === worker) return;
  if (owner) {
    throw new OperatorError(
      `${domain} is a custom domain of the Worker "${owner}": remove it there or choose another name`,
    );
  }
  if (options.replacesDns) return;
  const otherwise = ", or add --replace-dns";
  const { fetch, dohUrl } = options;
  const records = await lookUp(fetch, dohUrl, domain, ["A", "AAAA"], otherwise);
  if (records.length === 0) return;
  throw new OperatorError(
    `${domain} already points to ${records.join(", ")}. Choose a name that is not in use, or ` +
      "add --replace-dns if a wildcard record answers or the record may be replaced",
  );
}

/** Returns the DNS-over-HTTPS resolver that the service uses. */
export const resolverOf = ({ variables }: ServiceConfig) =>
  variables["DOH_URL"] ?? "https://cloudflare-dns.com/dns-query";

/**
 * Returns the records of a name. Throws OperatorError if the resolver fails; `otherwise` completes
 * its advice.
 */
export async function lookUp(
  send: Fetch,
  dohUrl: string,
  name: string,
  types: string[],
  otherwise = "",
): Promise<string[]> {
  const answers = await Promise.all(
    types.map((type) => {
      const query = new URLSearchParams({ name, type }).toString();
      return ask(send, `${dohUrl}?${query}`, otherwise);
    }),
  );
  return [...new Set(answers.flat())];
}

/** Queries a resolver. Throws OperatorError if it fails. */
async function ask(send: Fetch, url: string, otherwise: string): Promise<string[]> {
  let reason: string;
  try {
    const response = await send(url, {
      headers: { Accept: "application/dns-json" },
      signal: AbortSignal.timeout(10_000),
    });
    const { Status: status, Answer: records = [] } = await response.json<{
      Status: number;
      Answer?: { data: string }[];
    }>();
    // 0: the name exists; 3: NXDOMAIN (RFC 6895 §2.3).
    if (status === 0 || status === 3) return records.map(({ data }) => data);
    reason = `the resolver answered with code ${status}`;
  } catch (error) {
    reason = causeOf(error);
  }
  throw new OperatorError(
    `the DNS records of the name could not be looked up (${reason}); try again${otherwise}`,
  );
}
