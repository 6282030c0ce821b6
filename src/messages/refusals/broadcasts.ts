import { entry } from "./entry.ts";

/** Refusals about broadcasts and their drafts. */
export const BROADCASTS = {
  broadcast_is_draft: entry(409, "the broadcast is a draft", "Start it first."),
  broadcast_is_scheduled: entry(
    409,
    "the broadcast is scheduled",
    "Wait until it begins, or undo its start first.",
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
    "the broadcast has changed meanwhile: try again",
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
    "Put the variable into the HTML.",
  ),
  too_many_failed: entry(
    409,
    "more than {max} recipients failed: start a new broadcast",
    "Start a new broadcast.",
  ),
  mails_in_hand: entry(
    409,
    "the last mails of the broadcast are still being sent: retry it when they are",
    "Repeat the request in a few minutes.",
  ),
  nothing_to_retry: entry(
    409,
    "no recipient can be retried, or a retry has begun",
    "Read the broadcast: its counts and `retried_by` tell which.",
  ),
  broadcast_retried: entry(
    409,
    "the broadcast has been retried: retry {retry} instead",
    "Retry the broadcast that the text names.",
  ),
  no_ab_test: entry(409, "the broadcast has no A/B test", "Give a draft variants in `ab`."),
  winner_chosen: entry(
    409,
    "the winner has been chosen",
    "Read the A/B test: it names the winner, which nothing can change.",
  ),
  ab_test_in_planning: entry(
    409,
    "the winner has been chosen, or the A/B test is still being planned",
    "Read the A/B test, and repeat the request in a minute if it has no winner.",
  ),
  chunk_taken_over: entry(
    409,
    "the chunk was taken over by another worker, or removed",
    "Nothing: the other worker sends it.",
  ),
} as const;
