import { MESSAGES_IN_HAND_MAX } from "../../../../mail/smtp/index.ts";
import type { ChunkRow, NextPage, Position, Recipient } from "../../../broadcasts/index.ts";
import { dueOf } from "./wait-for-turn.ts";

/**
 * The largest number of mails that may precede a recipient's own mail when the recipient is read.
 * Whoever unsubscribes while a broadcast runs expects no further mail.
 */
const MAILS_BEFORE_MAX = 50;

/**
 * The largest number of recipients that are read but not claimed. It is high enough for all claims
 * of a chunk except the last ones to be whole groups.
 */
const AHEAD_MAX = MAILS_BEFORE_MAX - MESSAGES_IN_HAND_MAX;

/** The number of recipients below which more are read. */
const LOW = 8;

/** A page of recipients to read, at most `size`. */
export type Page = NextPage & { size: number };

/**
 * One step through a chunk. Without `recipient`, the subscriber with this id has left the audience.
 */
interface Step {
  id: string;
  recipient: Recipient | undefined;
  isRetry: boolean;
}

/** The part of a chunk that is read but not claimed. */
export interface Ahead {
  steps: Step[];
  /** The last id that was read. */
  readTo: string;
  /** The time at which the turn began. Recipients who must wait beyond it are not read. */
  startedAt: number;
}

/** The next recipients of a chunk, and its position after them. */
export interface Group {
  recipients: Recipient[];
  steps: number;
  to: Position;
}

export type ChunkPlace = Position & Pick<ChunkRow, "untilId">;

export function openAhead({ cursorId }: ChunkPlace, startedAt: number): Ahead {
  return { steps: [], readTo: cursorId, startedAt };
}

/** Returns what to read next, or undefined if nothing is left to read. */
export function nextPage(ahead: Ahead, place: ChunkPlace): Page | undefined {
  const size = AHEAD_MAX - ahead.steps.length;
  const retries = ahead.steps.filter(({ isRetry }) => isRetry).length;
  const due = dueOf(place.again, ahead.startedAt);
  const ids = due.slice(retries, retries + size).map(({ id }) => id);
  if (ids.length > 0) return { kind: "ids", ids, size };
  if (ahead.readTo >= place.untilId) return undefined;
  return { kind: "range", after: ahead.readTo, to: place.untilId, size };
}

/** Returns what to read with the next write, or undefined while enough is read. */
export function pageWhenLow(ahead: Ahead, place: ChunkPlace): Page | undefined {
  return ahead.steps.length < LOW ? nextPage(ahead, place) : undefined;
}

/** Adds a page that was read. */
export function addPage(ahead: Ahead, page: Page, recipients: Recipient[]): void {
  if (page.kind === "ids") {
    const found = new Map(recipients.map((recipient) => [recipient.id, recipient]));
    ahead.steps.push(...page.ids.map((id) => ({ id, recipient: found.get(id), isRetry: true })));
    return;
  }
  ahead.steps.push(
    ...recipients.map((recipient) => ({ id: recipient.id, recipient, isRetry: false })),
  );
  const last = recipients.at(-1);
  ahead.readTo = last && recipients.length === page.size ? last.id : page.to;
}

/**
 * Returns the next group of up to `count` recipients. The group is empty if all of them have left.
 */
export function nextGroup(ahead: Ahead, place: ChunkPlace, count: number): Group {
  const recipients: Recipient[] = [];
  let { cursorId } = place;
  let retries = 0;
  let steps = 0;
  for (const { id, recipient, isRetry } of ahead.steps) {
    if (recipients.length === count) break;
    steps += 1;
    if (isRetry) retries += 1;
    else cursorId = id;
    if (recipient) recipients.push(recipient);
  }
  const again = retries > 0 ? place.again.slice(retries) : place.again;
  const isLast = steps === ahead.steps.length && dueOf(again, ahead.startedAt).length === 0;
  if (isLast && ahead.readTo >= place.untilId) cursorId = place.untilId;
  return { recipients, steps, to: { again, cursorId } };
}

/** Moves past a group. */
export function passGroup(ahead: Ahead, place: ChunkPlace, { steps, to }: Group): void {
  ahead.steps.splice(0, steps);
  Object.assign(place, to);
}
