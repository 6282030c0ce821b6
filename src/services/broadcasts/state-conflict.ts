import { refusal, type AppError } from "../../errors.ts";
import type { BroadcastRow } from "./queries.ts";

/** Returns the error for an action that the state of a broadcast does not allow. */
export const stateConflict = (state: BroadcastRow["state"]): AppError =>
  refusal(`broadcast_is_${state}`, {});
