/* Source: Stripe API, "Events"; the objects of checkout, invoices, charges and customers. */
import { z } from "zod";
import { callWithEvent, looseText, readBody, type HookCall } from "./hook-mail.ts";

const withEmail = z.object({ email: looseText }).nullish().catch(undefined);

const event = z.object({
  id: z.string().max(255),
  type: z.string(),
  created: z.number(),
  livemode: z.boolean().default(true),
  data: z.object({
    object: z.looseObject({
      object: looseText,
      email: looseText,
      customer_email: looseText,
      receipt_email: looseText,
      customer_details: withEmail,
      billing_details: withEmail,
    }),
  }),
});

/** The fields of an object that its event keeps. */
const KEPT = [
  "id",
  "customer",
  "subscription",
  "mode",
  "status",
  "billing_reason",
  "currency",
  "amount",
  "amount_total",
  "amount_paid",
  "amount_due",
];
const MOST_CHARACTERS = 255;

const isKept = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && value.length <= MOST_CHARACTERS);

/**
 * Returns the event of a customer, `stripe.invoice.paid` for example; none if the object has no
 * address, as a subscription. Throws invalid_hook_body.
 */
export function readStripe(bytes: Uint8Array): HookCall {
  const { id, type, created, livemode, data } = readBody(event, bytes);
  const { object } = data;
  const email =
    object.customer_details?.email ??
    object.customer_email ??
    object.receipt_email ??
    object.billing_details?.email ??
    (object.object === "customer" ? object.email : undefined);
  const fields = KEPT.map((name) => [name, object[name]] as const);
  const kept = Object.fromEntries(fields.filter(([, value]) => isKept(value)));
  const own = { ...kept, event: id, ...(!livemode && { test: true }) };
  return callWithEvent({ name: `stripe.${type}`, data: own, at: created * 1_000 }, email ?? "");
}
