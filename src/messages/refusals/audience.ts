import { entry } from "./entry.ts";

/** Refusals about subscribers, topics, segments and erasures. */
export const AUDIENCE = {
  subscriber_exists: entry(
    409,
    "a subscriber with this email already exists",
    "Change that subscriber instead.",
  ),
  topic_exists: entry(
    409,
    'the project already has a topic named "{name}"',
    "Choose another name; upper and lower case make no difference.",
  ),
  too_many_topics: entry(
    409,
    "the project already has {max} topics",
    "Delete a topic that is no longer used.",
  ),
  topic_in_use: entry(
    409,
    "the topic is in use by drafts or broadcasts that are not over: {names}",
    "Change or delete the drafts, and wait until the broadcasts are over.",
  ),
  topic_in_conditions: entry(
    409,
    "conditions name the topic: {places}: change them first",
    "Remove the topic from these conditions, then delete it.",
  ),
  topic_name_in_conditions: entry(
    409,
    "conditions name the topic: {places}: write topic:{id} in them first",
    "Name the topic by its id in these conditions, then rename it.",
  ),
  topic_named_meanwhile: entry(
    409,
    "somebody has just saved a condition that may name the topic: try again",
    "Repeat the request.",
  ),
  segment_exists: entry(
    409,
    'the project already has a segment named "{name}"',
    "Choose another name; upper and lower case make no difference.",
  ),
  too_many_segments: entry(
    409,
    "the project already has {max} segments",
    "Delete a segment that is no longer used.",
  ),
  segment_in_use: entry(
    409,
    "the segment is in use by drafts or scheduled broadcasts: {names}",
    "Change or delete the drafts, and take the broadcasts off the schedule.",
  ),
  audience_deleted_meanwhile: entry(
    409,
    "a topic or segment of the audience has just been deleted: choose another one",
    "Choose an audience that exists.",
  ),
  email_kept_changing: entry(
    409,
    "the email of the subscriber kept changing during this request: try again",
    "Repeat the request.",
  ),
  erasure_running: entry(
    409,
    "the erasure is not over yet: try again in two hours",
    "Wait until the erasure is over.",
  ),
} as const;
