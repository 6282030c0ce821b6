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
    "Choose another name; names are not case-sensitive.",
  ),
  too_many_topics: entry(
    409,
    "the project already has {max} topics",
    "Delete a topic that is no longer used.",
  ),
  topic_in_use: entry(
    409,
    "the topic is used by drafts, unfinished broadcasts or running automations: {names}",
    "Change or delete the drafts, wait until the broadcasts are done, and change or stop the automations.",
  ),
  topic_in_conditions: entry(
    409,
    "conditions use the topic: {places}: change them first",
    "Remove the topic from these conditions, then delete it.",
  ),
  topic_name_in_conditions: entry(
    409,
    "conditions use the topic: {places}: write topic:{id} in them first",
    "Refer to the topic by its ID in these conditions, then rename it.",
  ),
  topic_named_meanwhile: entry(
    409,
    "a condition that may use the topic was just saved: try again",
    "Repeat the request.",
  ),
  segment_exists: entry(
    409,
    'the project already has a segment named "{name}"',
    "Choose another name; names are not case-sensitive.",
  ),
  too_many_segments: entry(
    409,
    "the project already has {max} segments",
    "Delete a segment that is no longer used.",
  ),
  segment_in_use: entry(
    409,
    "the segment is used by drafts, scheduled broadcasts or running automations: {names}",
    "Change or delete the drafts, unschedule the broadcasts, and change or stop the automations.",
  ),
  field_exists: entry(
    409,
    'the project already has a field with the key "{key}"',
    "Change that field instead.",
  ),
  too_many_fields: entry(
    409,
    "the project may have at most {max} fields",
    "Delete a field that is no longer used.",
  ),
  too_many_forms: entry(
    409,
    "the project already has {max} forms",
    "Delete a form that is no longer used.",
  ),
  audience_deleted_meanwhile: entry(
    409,
    "a topic or segment of the audience was just deleted: choose another one",
    "Choose an audience that exists.",
  ),
  email_kept_changing: entry(
    409,
    "the email of the subscriber kept changing during this request: try again",
    "Repeat the request.",
  ),
  erasure_running: entry(
    409,
    "the erasure is still running: try again in two hours",
    "Wait until the erasure is done.",
  ),
} as const;
