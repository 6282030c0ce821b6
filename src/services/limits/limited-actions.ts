import type { Actor } from "../../context.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import type { Limit } from "../../lib/sliding-window.ts";

/**
 * The limits of each action per project and minute. The key-based API has its own limits
 * (API reference §4.1). The limits of previews, tests and checks are our own choice.
 */
export const PER_MINUTE = {
  send: 60,
  batch: 20,
  broadcast: 5,
  broadcast_start: 10,
  smtp_test: 10,
  imap_test: 10,
  template_preview: 120,
  template_test: 10,
  sender_check: 10,
  preflight: 10,
  image_upload: 60,
  import: 60,
  transfer: 5,
  keyed_send: 60,
  keyed_join: 60,
  keyed_read: 60,
  keyed_broadcast: 10,
  keyed_write: 60,
  keyed_track: 600,
} as const;
export type LimitedAction = keyof typeof PER_MINUTE;

/** The actions with a separate limit per user. */
const PER_PERSON: ReadonlySet<LimitedAction> = new Set(["imap_test"]);

/** Returns the limit of an action: the key's own if it has one. */
export function limitOf(actor: Actor, action: LimitedAction): Limit {
  const own = actor.kind === "project_key" ? actor.rateLimitPerMinute : undefined;
  return { limit: own ?? PER_MINUTE[action], windowMs: MINUTE_MS };
}

/** Returns the bucket of an action in the object of a project. */
export function bucketOf(actor: Actor, action: LimitedAction): string {
  if (actor.kind === "project_key" && actor.rateLimitPerMinute !== undefined)
    return `${action}:${actor.keyId}`;
  if (actor.kind === "user" && PER_PERSON.has(action)) return `${action}:${actor.userId}`;
  return action;
}
