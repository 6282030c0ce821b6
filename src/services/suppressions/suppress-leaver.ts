import type { Deps } from "../../deps.ts";
import { runBatchAfter } from "../../db/client.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectProject } from "../projects/index.ts";
import { suppressStatements } from "./suppress.ts";

/**
 * Suppresses an address whose owner unsubscribes through the link of a mail. Idempotent. The token
 * of the link authorizes the call (API reference §13.4). Returns the project unless it is gone.
 */
export async function suppressLeaver(
  deps: Deps,
  projectId: string,
  email: EmailAddress,
): Promise<ProjectRow | undefined> {
  const entry = { email, reason: "unsubscribed", source: "unsubscribe link" } as const;
  const suppress = suppressStatements(deps, projectId, [entry]);
  const [[project]] = await runBatchAfter(deps.db, suppress, [selectProject(deps.db, projectId)]);
  return project;
}
