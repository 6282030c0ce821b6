import { conflict, type AppError } from "../../errors.ts";
import type { BroadcastRow } from "./queries.ts";

/** Makes the refusal of an action that the state of a broadcast does not allow. */
export const stateConflict = (state: BroadcastRow["state"]): AppError =>
  conflict(`the broadcast is ${state === "draft" ? "a draft" : state}`);
