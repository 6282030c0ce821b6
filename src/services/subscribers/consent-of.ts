import type { Ctx } from "../../context.ts";
import { callerProof, type ConsentAction, type ConsentProof } from "../topics/index.ts";
import type { SubscriberStatus } from "./queries.ts";

const ACTIONS: Record<SubscriberStatus, ConsentAction> = {
  active: "subscribed",
  pending: "requested",
  unsubscribed: "unsubscribed",
};

/** Returns the consent history entry for a status set by a member or a key of the project. */
export const consentOf = (
  ctx: Ctx,
  status: SubscriberStatus,
): { action: ConsentAction; proof: ConsentProof } => ({
  action: ACTIONS[status],
  proof: callerProof(ctx),
});
