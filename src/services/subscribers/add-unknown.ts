import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { callerProof, joinDefaults, writeListConsent } from "../topics/index.ts";
import { projectExists } from "../projects/index.ts";
import { hasRoom, noteAdded } from "../storage/index.ts";
import { insertConfirmations } from "./pending-queries.ts";
import { insertSubscribers } from "./queries.ts";

/** An address that joins as a subscriber unless the project knows it. */
export interface Unknown {
  email: EmailAddress;
  status: "active" | "pending";
}

/**
 * Returns the statements that add subscribers with these distinct addresses and the default topics,
 * except those that the project knows or has erased. Pending ones are asked to confirm. They do
 * nothing if there is no room for subscribers.
 */
export function addUnknown(
  ctx: Ctx,
  projectId: string,
  unknown: readonly Unknown[],
): readonly Statement[] {
  if (unknown.length === 0) return [];
  const { deps } = ctx;
  const { config, newId } = deps;
  const now = deps.now();
  const rows = unknown.map((one) => ({ id: newId(), mailId: newId(), ...one }));
  const ids = rows.map(({ id }) => id);
  const asked = JSON.stringify(rows.filter(({ status }) => status === "pending"));
  const askedIds = sql`select s.id from json_each(${asked}) r
    cross join subscribers s on s.id = r.value ->> 'id' and s.project_id = ${projectId}`;
  const proof = callerProof(ctx);
  const room = sql`${projectExists(projectId)}
    and ${hasRoom(projectId, now, config.workspaceStorageBytes)}`;
  return [
    ...insertSubscribers(deps, projectId, rows, now, room),
    ...joinDefaults(deps, projectId, ids, proof),
    ...(asked === "[]"
      ? []
      : [
          writeListConsent(deps, projectId, askedIds, "requested", proof),
          insertConfirmations(deps.db, projectId, asked, now),
        ]),
    ...noteAdded(deps, projectId, ids),
  ];
}
