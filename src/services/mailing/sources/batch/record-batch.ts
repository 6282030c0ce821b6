import type { SQL } from "drizzle-orm";
import type { Deps } from "../../../../deps.ts";
import type { Statement } from "../../../../db/client.ts";
import { insertFailures, type BroadcastRow } from "../../../broadcasts/index.ts";
import { recordStatements, type MailFacts, type FinishedMail } from "../../record.ts";
import { failuresOf } from "./batch-failures.ts";

/** Returns all writes of finished mails of a batch, with its failures, if `when` is true. */
export function recordBatch(
  deps: Deps,
  { id: batchId, projectId }: BroadcastRow,
  { recorded, indexOf }: { recorded: FinishedMail[]; indexOf: (mail: MailFacts) => number },
  when: SQL,
): Statement[] {
  const failures = failuresOf(recorded, indexOf);
  const statements = recordStatements(deps, projectId, recorded, when);
  if (failures.length === 0) return statements;
  return [...statements, insertFailures(deps.db, batchId, { id: deps.newId(), failures }, when)];
}
