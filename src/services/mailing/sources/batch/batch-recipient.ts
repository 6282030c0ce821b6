import type { Mailbox } from "../../../../mail/address.ts";
import type { Message } from "../../../../messages/message.ts";

/** One recipient of a batch, or the text that the caller gave as its address, with its fault. */
export type BatchRecipient =
  | { to: Mailbox; data: Record<string, unknown> }
  | { given: string; fault: Message };

/** Returns the address of a recipient, as an outcome names it. */
export const addressOf = (one: BatchRecipient): string =>
  "fault" in one ? one.given : one.to.address;
