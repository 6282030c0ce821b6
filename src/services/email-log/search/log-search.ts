import type { broadcastLogId } from "../broadcast-log-id.ts";
import type { LogFilter, LogKey } from "../read-log.ts";
import type { VisitFilter } from "../visits/made-visit.ts";

/** The largest number of entries that one page of a search examines. */
export const SCANNED_MAX = 1_000;

/** The conditions of a search. */
export interface LogSearch extends LogFilter, VisitFilter {
  /** The address to which the mail went, if the search names one. */
  toEmail: string | undefined;
  subscriberId: string | undefined;
  templateId: string | undefined;
  broadcastId: string | undefined;
  reason: string | undefined;
  /** The beginning of the subject. */
  subject: string | undefined;
  tag: string | undefined;
  tagValue: string | undefined;
  /** The place after which the page begins. */
  after: LogKey | null | undefined;
}

/** The one recipient of a search. */
export interface Recipient {
  email: string;
  /** The subscriber with this address, if there is one. */
  subscriberId: string | undefined;
  /** The broadcasts in which to look for mails to this subscriber. */
  broadcasts: Parameters<typeof broadcastLogId>[0][];
}
