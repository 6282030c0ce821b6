import type * as Api from "../../../../client/src/types.ts";

export const STATUSES = ["active", "pending", "unsubscribed"] as const;
export type Status = (typeof STATUSES)[number];

/** Filters of the subscriber list, as in the URL. */
export interface Filters {
  status?: Status;
  search?: string;
  tag?: string;
  import?: string;
}

export type Subscriber = Api.Subscriber;
