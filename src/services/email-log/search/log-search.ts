import type { broadcastLogId } from "../broadcast-log-id.ts";
import type { LogFilter, LogKey } from "../read-log.ts";
import type { VisitFilter } from "../visits/made-visit.ts";

/** The maximum number of entries that one page of a search examines. */
export const SCANNED_MAX = 1_000;

export interface LogSearch extends LogFilter, VisitFilter {
  /** The recipient's address, if the search filters by it. */
  toEmail: string | undefined;
  subscriberId: string | undefined;
  templateId: string | undefined;
  broadcastId: string | undefined;
  tag: string | undefined;
  tagValue: string | undefined;
  /** The cursor after which the page begins. */
  after: LogKey | null | undefined;
}

export interface Recipient {
  email: string;
  /** The subscriber with this address, if there is one. */
  subscriberId: string | undefined;
  /** The broadcasts to search for mails to this subscriber. */
  broadcasts: Parameters<typeof broadcastLogId>[0][];
}
