import type { Client } from "../../api/client.ts";

export const STATUSES = ["active", "pending", "unsubscribed"] as const;
export type Status = (typeof STATUSES)[number];

export type Subscriber = Awaited<
  ReturnType<Client["projects"]["subscribers"]["list"]>
>["subscribers"][number];
export type Person = Awaited<ReturnType<Client["projects"]["subscribers"]["get"]>>;
