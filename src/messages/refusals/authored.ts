import { entry } from "./entry.ts";

/** Refusals of what an author wrote: a condition or a template. */
export const AUTHORED = {
  invalid_condition: entry(
    400,
    "{reason}",
    "Correct the condition at the position that the message names.",
  ),
} as const;
