import { z } from "zod";
import {
  callWithEvent,
  looseText,
  readBody,
  recipientIn,
  type HookCall,
  type HookMail,
} from "./hook-mail.ts";

/**
 * The event `email.created`, whose content Clerk has rendered. Its `from_email_name` is the local
 * part of Clerk's own address, so the sender is that of the project.
 */
const created = z.object({
  type: z.literal("email.created"),
  data: z.object({
    to_email_address: z.string(),
    subject: z.string(),
    body: z.string().default(""),
    body_plain: z.string().nullish(),
    slug: z.string().max(256).nullish(),
    delivered_by_clerk: z.boolean().default(false),
  }),
});

/** An event about a user, and those that name no address. */
const anyEvent = z.object({
  type: z.string(),
  timestamp: z.number().optional().catch(undefined),
  data: z
    .object({
      id: looseText,
      first_name: looseText,
      last_name: looseText,
      primary_email_address_id: looseText,
      email_addresses: z
        .array(z.object({ id: looseText, email_address: z.string() }))
        .nullish()
        .catch(undefined),
    })
    .catch({}),
});

/**
 * Returns the email that Clerk leaves to us, or the event of a user, `clerk.user.created` for
 * example. Throws invalid_hook_body.
 */
export function readClerk(bytes: Uint8Array): HookCall {
  const { type, timestamp: at, data } = readBody(anyEvent, bytes);
  if (type === "email.created") return { mails: mailsOf(bytes), events: [] };
  const { id, first_name, last_name, primary_email_address_id: primary } = data;
  const addresses = data.email_addresses ?? [];
  const address = addresses.find((one) => one.id === primary) ?? addresses[0];
  const event = { name: `clerk.${type}`, data: { id, first_name, last_name }, at };
  return callWithEvent(event, address?.email_address ?? "");
}

function mailsOf(bytes: Uint8Array): HookMail[] {
  const { data } = readBody(created, bytes);
  if (data.delivered_by_clerk) return [];
  const { subject, body: html, body_plain: text } = data;
  return [
    {
      to: recipientIn("data.to_email_address", data.to_email_address),
      render: () => ({ subject, html, text: text ?? "" }),
      action: data.slug ?? "email",
    },
  ];
}
