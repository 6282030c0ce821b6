import type { broadcastLogId } from "../broadcast-log-id.ts";
import type { LogStatus } from "../stored-form.ts";

export interface LogFilter {
  status?: LogStatus | undefined;
  /** Milliseconds, inclusive. */
  from?: number | undefined;
  /** Milliseconds, exclusive. */
  to?: number | undefined;
}

/** The keyset cursor of an entry: its time and id. */
export type LogKey = readonly [sentAt: number, id: string];

/** The entries of a time after a cursor. */
export interface LogPart extends LogFilter {
  /** The cursor after which the page begins. */
  after?: LogKey | null | undefined;
}

export interface LogSearch extends LogPart {
  /** The recipient's address, if the search filters by it. */
  toEmail?: string | undefined;
  subscriberId?: string | undefined;
  templateId?: string | undefined;
  broadcastId?: string | undefined;
  automationId?: string | undefined;
  /** A step of the automation. */
  stepId?: string | undefined;
  tag?: string | undefined;
  tagValue?: string | undefined;
}

export interface Recipient {
  email: string;
  /** The subscriber with this address, if there is one. */
  subscriberId: string | undefined;
  /** The broadcasts, and pages of automations, to search for mails to this subscriber. */
  broadcasts: (Parameters<typeof broadcastLogId>[0] & { page?: string })[];
}
