import { notFound } from "../../errors.ts";
import { requireWorkspaceRole, type Capability } from "../access/index.ts";
import type { Standing } from "./queries.ts";

/**
 * Checks the standing of actor and member at the start of the batch, from the rows of
 * `selectStanding`. The access check was a request ago. The batch's writes have the same
 * conditions, and this function tells the caller why they wrote nothing. Throws not_found
 * (workspace), then forbidden.
 */
export function requireStanding(rows: Standing[], capability: Capability): Standing {
  const [standing] = rows;
  if (!standing?.workspaceId) throw notFound("workspace");
  requireWorkspaceRole(standing.actorRole, capability);
  return standing;
}
