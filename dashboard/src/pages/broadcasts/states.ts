import type * as Api from "../../../../client/src/types.ts";

export type Broadcast = Api.BroadcastDetails;
export type Listed = Api.ListedBroadcast;
export type DeliveryReport = Api.DeliveryReport;
export type Trial = Api.AbTest;
export type TrialVariant = Trial["variants"][number];
export type State = Broadcast["state"];

/** Tabs of the page besides the started and finished broadcasts. */
export const TABS = ["drafts", "scheduled", "calendar"] as const;

/** Outcomes in a report; each recipient is in exactly one (API reference §11.9). */
export const OUTCOMES = [
  "sent",
  "failed",
  "bounced",
  "suppressed",
  "unknown",
  "waiting",
  "skipped",
] as const;

/** Reactions of recipients that the report counts and lists. */
export const REACTIONS = ["unsubscribed", "complained"] as const;

/** Returns true in states in which counts change on their own. */
export const isRunning = (state: State) => state === "queued" || state === "sending";

/** Returns true in states in which the mail no longer changes. */
export const isFixed = (state: State) => state !== "draft" && state !== "scheduled";

/** Returns true in states in which nothing more is sent. */
export const isOver = (state: State) => state === "done" || state === "cancelled";

/** A tag that starts, switches or ends a block of a template; "else" separates two alternatives. */
const BLOCK_TAG = /\{\{~?\s*(?:(else|\^)(?:\s[^}]*)?|[#/^!][^}]*)\}\}/g;

/** Returns a subject without block tags: `Hi{{#if name}} {{name}}{{/if}}` stays readable. */
export const readable = (subject: string): string =>
  subject.replaceAll(BLOCK_TAG, (_, isElse?: string) => (isElse ? " / " : "")).trim();

/** Returns the display name of a broadcast; falls back to its id. */
export const nameOf = ({ name, subject, id }: Pick<Broadcast, "name" | "subject" | "id">): string =>
  name?.trim() || readable(subject) || id;

/** Polling interval of a running broadcast. */
export const POLL_MS = 2_000;

/** Names of the variants of an A/B test. */
export const LETTERS = ["A", "B", "C", "D", "E"];

/** Returns the values of `{{broadcast.…}}` in a broadcast's mails (API reference §11.10). */
export const variablesOfMail = ({ name, variables }: Broadcast) => ({ name, ...variables });
