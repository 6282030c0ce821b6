import { notFound } from "../../errors.ts";
import { requireWorkspaceRole, type Capability } from "../access/index.ts";
import type { Standing } from "./queries.ts";

/**
 * How actor and member stood when the batch began, from the rows of `selectStanding`.
 * The access check was a request ago: the same conditions stand in the batch's writes, and this
 * tells the caller why they wrote nothing. Throws not_found (workspace), then forbidden.
 */
export function requireStanding(rows: Standing[], capability: Capability): Standing {
  const [standing] = rows;
  if (!standing?.workspaceId) throw notFound("workspace");
  requireWorkspaceRole(standing.actorRole, capability);
  return standing;
}
