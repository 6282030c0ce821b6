import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { suppressStatements } from "./suppress.ts";

/**
 * Suppresses an address whose owner unsubscribes through the link of a mail. Idempotent. The token
 * of the link authorizes the call (API reference §13.4).
 */
export async function suppressLeaver(
  deps: Deps,
  projectId: string,
  email: EmailAddress,
): Promise<void> {
  const entry = { email, reason: "unsubscribed", source: "unsubscribe link" } as const;
  await runBatch(deps.db, [...suppressStatements(deps, projectId, [entry])]);
}
