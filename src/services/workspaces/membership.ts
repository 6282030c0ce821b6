import { notFound } from "../../errors.ts";
import { requireWorkspaceRole, type Capability } from "../access/index.ts";
import type { Membership } from "./queries.ts";

/**
 * Checks the membership of actor and member at the start of the batch, from the rows of
 * `selectStanding`. The access check was a request ago. The batch's writes have the same
 * conditions, and this function tells the caller why they wrote nothing. Throws not_found
 * (workspace), then 403.
 */
export function requireMembership(rows: Membership[], capability: Capability): Membership {
  const [membership] = rows;
  if (!membership?.workspaceId) throw notFound("workspace");
  requireWorkspaceRole(membership.actorRole, capability);
  return membership;
}
