import { z } from "zod";
import { readBody, recipientIn, type HookMail } from "./hook-mail.ts";

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

const anyEvent = z.object({ type: z.string() });

/** Returns the email that Clerk leaves to us: none for another event. Throws invalid_hook_body. */
export function readClerk(bytes: Uint8Array): HookMail[] {
  if (readBody(anyEvent, bytes).type !== "email.created") return [];
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
