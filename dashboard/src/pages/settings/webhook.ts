import type { Client } from "../../api/client.ts";

export type Webhook = Awaited<
  ReturnType<Client["projects"]["webhooks"]["list"]>
>["webhooks"][number];
