import { entry } from "./entry.ts";

/** Refusals of the deployment: its settings, its storage and its queues. */
export const OPERATIONS = {
  misconfigured: entry(
    503,
    "{name} must be {expected}",
    "Set the variable or secret, and deploy again.",
  ),
  storage_full: entry(
    503,
    "the storage of this service is {percent}% full: no mail is sent and no one is added until its operator frees up space, or old log entries are deleted",
    "Free up space: raise STORAGE_LIMIT_BYTES, lower LOG_RETENTION_DAYS, or delete data.",
  ),
  workspace_quota_reached: entry(
    403,
    "the workspace stores {stored}, and its quota is {quota}: no one is added and webhooks get no events until its members delete subscribers, webhooks or projects; the freed space counts within an hour",
    "Delete subscribers, webhooks or projects of the workspace.",
  ),
  dead_letter_of_other_version: entry(
    409,
    "this version does not recognize the message: deploy the version that wrote it",
    "Deploy the version that wrote the message, then replay it.",
  ),
  dead_letter_in_replay: entry(
    409,
    "this dead letter is being replayed: try again in a minute",
    "Read it again in a minute.",
  ),
  queue_unavailable: entry(
    503,
    "the queue did not accept the message: try again",
    "Repeat the request in a moment.",
  ),
} as const;
