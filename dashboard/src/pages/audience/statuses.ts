import type * as Api from "../../../../client/src/types.ts";

export const STATUSES = ["active", "pending", "unsubscribed"] as const;
export type Status = (typeof STATUSES)[number];

/** The filters of the list of people, as the address of the page has them. */
export interface Filters {
  status?: Status;
  search?: string;
  tag?: string;
}

export type Subscriber = Api.Subscriber;
