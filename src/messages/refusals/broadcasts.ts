import { entry } from "./entry.ts";

/** Refusals about broadcasts and their drafts. */
export const BROADCASTS = {
  broadcast_is_draft: entry(409, "the broadcast is a draft", "Start it first."),
  broadcast_is_scheduled: entry(
    409,
    "the broadcast is scheduled",
    "Wait until it starts, or undo its start first.",
  ),
  broadcast_is_queued: entry(
    409,
    "the broadcast is queued",
    "Wait until the broadcast before it is done, or cancel it.",
  ),
  broadcast_is_sending: entry(
    409,
    "the broadcast is sending",
    "Pause or cancel it, or wait until it is done.",
  ),
  broadcast_is_paused: entry(409, "the broadcast is paused", "Resume or cancel it first."),
  broadcast_is_done: entry(409, "the broadcast is done", "Duplicate it, or start a new one."),
  broadcast_is_cancelled: entry(
    409,
    "the broadcast is cancelled",
    "Duplicate it, or start a new one.",
  ),
  broadcast_changed: entry(
    409,
    "the broadcast has changed in the meantime: try again",
    "Read the broadcast again and repeat the change.",
  ),
  broadcast_has_problems: entry(
    409,
    "the broadcast has problems that `accept` does not name: {codes}",
    "Correct the problems, or name their codes in `accept`.",
  ),
  draft_not_sendable: entry(
    400,
    "the draft cannot be sent: {reason}",
    "Correct what the reason names.",
  ),
  no_unsubscribe_link: entry(
    400,
    "the HTML of a broadcast must include {variable}",
    "Add the variable to the HTML.",
  ),
  no_ab_test: entry(
    409,
    "the broadcast has no A/B test",
    "Set variants in the `ab` field of a draft.",
  ),
  winner_chosen: entry(
    409,
    "the winner has already been chosen",
    "Read the A/B test for the winner; the choice is final.",
  ),
  ab_test_in_planning: entry(
    409,
    "the winner has already been chosen, or the A/B test is still being planned",
    "Read the A/B test, and repeat the request in a minute if it has no winner.",
  ),
  chunk_taken_over: entry(
    409,
    "another run of the sender has taken over the chunk, or it was removed",
    "No action needed: the sender continues by itself.",
  ),
} as const;
