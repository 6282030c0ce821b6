import { projectExists } from "../projects/index.ts";
import type { App } from "../../app.ts";
import { runBatch } from "../../db/client.ts";
import { markBounced, type ReturnedMail } from "../log/index.ts";
import { suppressStatements, type NewSuppression } from "../suppressions/index.ts";

/** What a report does to the project. */
export interface Consequences {
  suppressions: NewSuppression[];
  returned: ReturnedMail[];
}

/** Writes them in one atomic batch; a report told again changes nothing. Returns how many addresses were new on the list. */
export async function recordBounces(
  app: App,
  projectId: string,
  { suppressions, returned }: Consequences,
): Promise<number> {
  const exists = projectExists(projectId);
  const added = suppressStatements(app, projectId, suppressions, exists);
  const results = await runBatch(app.db, [...added, ...markBounced(app.db, projectId, returned)]);
  const inserted = results[added.length - 1] as D1Result | undefined;
  return inserted?.meta.changes ?? 0;
}
