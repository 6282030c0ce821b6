import { notFound } from "../../errors.ts";
import { requireWorkspaceRole, type Capability } from "../access/index.ts";
import type { Membership } from "./queries.ts";

/**
 * Checks the membership of actor and member as of the start of the batch, from the rows of
 * `selectStanding`, because the access check ran in an earlier round trip. The batch's writes have
 * the same conditions, and this function tells the caller why they had no effect. Throws not_found
 * (workspace), then 403.
 */
export function requireMembership(rows: Membership[], capability: Capability): Membership {
  const [membership] = rows;
  if (!membership?.workspaceId) throw notFound("workspace");
  requireWorkspaceRole(membership.actorRole, capability);
  return membership;
}
