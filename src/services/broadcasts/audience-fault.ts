import { AppError, reasonOf } from "../../errors.ts";
import { broadcastReason } from "../../messages/broadcast-reasons.ts";
import type { Message } from "../../messages/message.ts";
import { audience, type Audience } from "./queries.ts";

/** Returns why the stored condition of an audience does not compile; undefined if it does. */
export function audienceFault(wanted: Audience): Message | undefined {
  try {
    audience(wanted);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return broadcastReason("audience_condition_invalid", { reason: reasonOf(error) });
  }
}
