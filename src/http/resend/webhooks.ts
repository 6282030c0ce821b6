import { z } from "zod";
import { RESEND_EVENTS, SUBSCRIBABLE_EVENTS } from "../../services/webhooks/index.ts";
import { fault } from "../fault.ts";
import { withoutNulls } from "../given.ts";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listAll } from "./pages.ts";
import { parsed } from "./parsed.ts";

/** A webhook in the fields of our API that their API also has. */
interface OwnWebhook {
  id: string;
  url: string;
  secret: string;
  events: string[];
  active: boolean;
  created_at: string;
}

const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(RESEND_EVENTS));
const THEIR_EVENTS = [...new Set(NAMES.values())];

/** Their names of events, as our names. */
const eventsField = z
  .array(z.enum(THEIR_EVENTS, { error: fault("not_in_list", { values: THEIR_EVENTS.join(", ") }) }))
  .min(1)
  .transform((events) =>
    SUBSCRIBABLE_EVENTS.filter((own) => events.includes(NAMES.get(own) ?? "")),
  );

const createBody = z
  .strictObject({ endpoint: z.unknown(), events: eventsField })
  .transform(({ endpoint, events }) => ({ url: endpoint, events, format: "resend" }));

const updateBody = z.preprocess(
  withoutNulls,
  z
    .strictObject({
      endpoint: z.unknown(),
      events: eventsField,
      status: z.enum(["enabled", "disabled"]),
    })
    .partial()
    .transform(({ endpoint, events, status }) => ({
      url: endpoint,
      events,
      active: status && status === "enabled",
    })),
);

/** Presents a webhook; one that takes all events has none. */
const shown = ({ id, url, active, created_at, events }: OwnWebhook) => ({
  id,
  created_at,
  status: active ? "enabled" : "disabled",
  endpoint: url,
  events: events.length === 0 ? null : [...new Set(events.flatMap((own) => NAMES.get(own) ?? []))],
});

const pathOf = ({ c }: Asked) => `/webhooks/${encodeURIComponent(c.req.param("id") ?? "")}`;

export const webhookRoutes: DoorRoute[] = [
  {
    method: "POST",
    path: "/webhooks",
    answer: async ({ body, call }) => {
      const own = parsed(createBody, body);
      const { id, secret } = await call<OwnWebhook>("POST", "/webhooks", own);
      return { object: "webhook", id, signing_secret: `whsec_${secret}` };
    },
  },
  {
    method: "GET",
    path: "/webhooks",
    answer: async (asked) => {
      const { webhooks } = await asked.call<{ webhooks: OwnWebhook[] }>("GET", "/webhooks");
      return listAll(asked, webhooks, shown);
    },
  },
  {
    method: "GET",
    path: "/webhooks/:id",
    answer: async (asked) => {
      const webhook = await asked.call<OwnWebhook>("GET", pathOf(asked));
      return { object: "webhook", ...shown(webhook), signing_secret: "" };
    },
  },
  {
    method: "PATCH",
    path: "/webhooks/:id",
    answer: async (asked) => {
      const own = parsed(updateBody, asked.body);
      const { id } = await asked.call<OwnWebhook>("PATCH", pathOf(asked), own);
      return { object: "webhook", id };
    },
  },
  {
    method: "DELETE",
    path: "/webhooks/:id",
    answer: async (asked) => {
      await asked.call("DELETE", pathOf(asked));
      return { object: "webhook", id: asked.c.req.param("id"), deleted: true };
    },
  },
];
