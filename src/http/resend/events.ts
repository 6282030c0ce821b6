import { z } from "zod";
import { notFound } from "../../errors.ts";
import { objectField } from "../given.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import type { DoorRoute } from "./door-route.ts";
import { parsed } from "./parsed.ts";

/** Our route checks the contact and the payload. */
const sendBody = objectField({
  event: z.string(),
  contact_id: z.string().optional(),
  email: z.string().optional(),
  payload: z.unknown().optional(),
});

export const eventRoutes: DoorRoute[] = [
  {
    method: "POST",
    path: "/events/send",
    answer: async ({ c, body, call }) => {
      const { event: name, contact_id: subscriber_id, email, payload } = parsed(sendBody, body);
      const own = { name, subscriber_id, email, data: payload };
      const key = idempotencyKeyOf(c);
      const { accepted } = await call<{ accepted: number }>("POST", "/events", own, key);
      if (accepted === 0) throw notFound("contact");
      return { object: "event", event: name };
    },
  },
];
