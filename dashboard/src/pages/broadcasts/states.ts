import type * as Api from "../../../../client/src/types.ts";

export type Broadcast = Api.BroadcastDetails;
export type Listed = Api.Broadcast;
export type DeliveryReport = Api.DeliveryReport;
export type Trial = Api.AbTest;
export type TrialVariant = Trial["variants"][number];
export type State = Broadcast["state"];

/** The lists of the page: what has begun or is over, and the drafts. */
export const TABS = ["drafts", "scheduled"] as const;

/** The outcomes of a report; each recipient is in exactly one (API reference §11.9). */
export const OUTCOMES = [
  "sent",
  "failed",
  "bounced",
  "suppressed",
  "unknown",
  "waiting",
  "skipped",
] as const;

/** The reactions of recipients that the report counts and lists. */
export const REACTIONS = ["unsubscribed", "complained"] as const;

/** States in which numbers change by themselves. */
export const isRunning = (state: State) => state === "queued" || state === "sending";

/** States in which nothing more is sent. */
export const isOver = (state: State) => state === "done" || state === "cancelled";

/** A block of a template begins, turns or ends here; "else" stands between two alternatives. */
const BLOCK_TAG = /\{\{~?\s*(?:(else|\^)(?:\s[^}]*)?|[#/^!][^}]*)\}\}/g;

/** Returns a subject without the tags of its blocks: `Hi{{#if name}} {{name}}{{/if}}` reads well. */
export const readable = (subject: string): string =>
  subject.replaceAll(BLOCK_TAG, (_, isElse?: string) => (isElse ? " / " : "")).trim();

/** Returns what people call a broadcast; the last resort is its id. */
export const nameOf = ({ name, subject, id }: Pick<Broadcast, "name" | "subject" | "id">): string =>
  name?.trim() || readable(subject) || id;

/** The time between two readings of a running broadcast. */
export const POLL_MS = 2_000;

/** The names of the variants of a trial. */
export const LETTERS = ["A", "B", "C", "D", "E"];

/** Returns what a mail of a broadcast has as `{{broadcast.…}}` (API reference §11.10). */
export const variablesOfMail = ({ name, variables }: Broadcast) => ({ name, ...variables });
