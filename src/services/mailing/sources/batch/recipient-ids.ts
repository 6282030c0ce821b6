import { broadcastLogId } from "../../../email-log/index.ts";

/** The number of digits in an id. A batch has at most 10,000 recipients. */
const DIGITS = 4;

/**
 * Returns the id of the recipient with this index. The index -1 is the cursor before the first. The
 * ids sort in the order of the recipients, and no subscriber has such an id.
 */
export function recipientId(index: number): string {
  return index < 0 ? "" : `#${String(index).padStart(DIGITS, "0")}`;
}

/** Returns the index of the recipient with this id. */
export function indexOfRecipient(id: string): number {
  return id === "" ? -1 : Number(id.slice(1));
}

/** The parts from which the log ids of a batch's mails are derived. */
type BatchKey = Parameters<typeof broadcastLogId>[0] & { lastId: string };

/** Returns the log ids of up to `count` mails of a batch, in the order of its recipients. */
export function batchLogIds(batch: BatchKey, firstIndex: number, count: number): string[] {
  const length = Math.max(Math.min(sizeOfBatch(batch) - firstIndex, count), 0);
  return Array.from({ length }, (_, n) => broadcastLogId(batch, recipientId(firstIndex + n)));
}

/** Returns the number of recipients of a batch. */
export const sizeOfBatch = ({ lastId }: Pick<BatchKey, "lastId">) => indexOfRecipient(lastId) + 1;
