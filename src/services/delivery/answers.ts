/** What became of one mail; `refused` is an SMTP failure, or an outcome nobody knows. */
export type SendAnswer =
  | { kind: "sent"; id: string }
  | { kind: "suppressed"; id: string }
  | { kind: "refused"; id: string; error: string };

/** What became of many mails: every recipient is in exactly one of the four counts. */
export interface Counts {
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
}
