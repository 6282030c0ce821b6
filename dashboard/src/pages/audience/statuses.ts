import type { Client } from "../../../../client/src/index.ts";

export const STATUSES = ["active", "pending", "unsubscribed"] as const;
export type Status = (typeof STATUSES)[number];

/** Filters of the subscriber list, as in the URL. */
export interface Filters {
  status?: Status;
  search?: string;
  tag?: string;
  import?: string;
}

export const SORTS = ["-created_at", "created_at", "email", "-email"] as const;
export type Sort = (typeof SORTS)[number];

/** A row of the subscriber list. */
export type Subscriber = Awaited<
  ReturnType<Client["projects"]["subscribers"]["list"]>
>["subscribers"][number];
