import { broadcastLogId } from "../email-log/index.ts";
import { indexOfRecipient, recipientId } from "./recipient-ids.ts";

/** The parts from which the log ids of a batch's mails are derived. */
type BatchKey = Parameters<typeof broadcastLogId>[0] & { lastId: string };

/** Returns the log ids of up to `count` mails of a batch, in the order of its recipients. */
export function batchLogIds(batch: BatchKey, firstIndex: number, count: number): string[] {
  const left = indexOfRecipient(batch.lastId) + 1 - firstIndex;
  const length = Math.max(Math.min(left, count), 0);
  return Array.from({ length }, (_, n) => broadcastLogId(batch, recipientId(firstIndex + n)));
}

/** Returns the number of recipients of a batch. */
export const sizeOfBatch = ({ lastId }: BatchKey) => indexOfRecipient(lastId) + 1;
