import { readSubdomain } from "../cloudflare/account-state.ts";
import type { AccountApi } from "../cloudflare/api.ts";
import { OperatorError } from "../command-line.ts";
import type { Machine } from "./machine.ts";

/** A label of a host name (RFC 1123 §2.1). */
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Returns the account's workers.dev subdomain. If it has none and `isNeeded`, prompts for one and
 * registers it. Without a terminal, returns `undefined`. Throws OperatorError.
 */
export async function provideSubdomain(
  api: AccountApi,
  ask: Machine["ask"],
  isNeeded: boolean,
): Promise<string | undefined> {
  const known = await readSubdomain(api);
  if (known || !isNeeded || !ask) return known;
  const answer = await ask(
    "This account has no workers.dev subdomain yet. All its Workers will be under it.\n" +
      "Name (the service will be at postrider.NAME.workers.dev): ",
  );
  const subdomain = answer.toLowerCase();
  if (!LABEL.test(subdomain)) {
    throw new OperatorError(`"${answer}" is not a name of letters, digits and hyphens`);
  }
  await api.send("PUT", "/workers/subdomain", { subdomain });
  return subdomain;
}
