import type { Mailbox } from "../../../../mail/address.ts";

/** One recipient of a batch. */
export interface BatchRecipient {
  to: Mailbox;
  data: Record<string, unknown>;
}
