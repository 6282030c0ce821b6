/*
 * Webhooks for tests that check only the rows written for them: their dispatcher never runs.
 *
 *   const service = createService({ WEBHOOK_QUEUE });
 *   const hook = await newWebhook(project.id, ["email.sent"]);
 *   await send(to);
 *   expect(await hook.types()).toEqual(["email.sent"]);
 */
import { env } from "cloudflare:test";
import type { EventType } from "../../src/services/webhooks/index.ts";
import type { Service } from "./service.ts";

export interface Payload {
  id: string;
  type: EventType;
  created_at: string;
  project_id: string;
  data: Record<string, unknown>;
}

interface Delivery {
  id: string;
  event_id: string;
  event_type: string;
  payload: string;
}

/** Webhooks woken so far through `WEBHOOK_QUEUE`. */
export const woken: string[] = [];

/** Queue that only records the webhooks it wakes. */
export const WEBHOOK_QUEUE = {
  sendBatch: async (messages: Iterable<{ body: { webhookId: string } }>) => {
    woken.push(...Array.from(messages, ({ body }) => body.webhookId));
  },
} as unknown as Service["env"]["WEBHOOK_QUEUE"];

export const HOOK_URL = "https://hooks.example/in";

/** Inserts a webhook and returns a reader of its deliveries in the order of the events' times. */
export async function newWebhook(
  projectId: string,
  events: string[] = [],
  active = true,
  url = HOOK_URL,
) {
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `insert into webhooks (id, project_id, url, host, secret_sealed, events, active, created_at)
     values (?, ?, ?, 'hooks.example:443', '', ?, ?, 1)`,
  )
    .bind(id, projectId, url, JSON.stringify(events), active ? 1 : 0)
    .run();
  const deliveries = async () => {
    const { results } = await env.DB.prepare(
      "select * from webhook_deliveries where webhook_id = ? order by payload ->> 'created_at', event_type, id",
    )
      .bind(id)
      .all<Delivery>();
    return results;
  };
  const payloads = async () =>
    (await deliveries()).map(({ payload }) => JSON.parse(payload) as Payload);
  const types = async () => (await payloads()).map(({ type }) => type);
  return { id, deliveries, payloads, types };
}
