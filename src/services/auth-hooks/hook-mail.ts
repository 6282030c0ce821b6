import { z } from "zod";
import { refusal } from "../../errors.ts";
import { isEventName } from "../../lib/event-name.ts";
import { parseEmailAddress, type EmailAddress, type Mailbox } from "../../mail/address.ts";
import type { MailTemplate, RenderedMail } from "../templates/index.ts";

/** An email that an authentication service hands over. */
export interface HookMail {
  to: Mailbox;
  /** The template of the project that replaces the content, if it still exists. */
  templateId?: string | undefined;
  /** Renders the email, with the template if there is one. */
  render: (template: MailTemplate | undefined) => RenderedMail;
  /** What the email is for, as the service calls it. */
  action: string;
}

/** A text of a call that may be missing, or anything else: then undefined. */
export const looseText = z.string().nullish().catch(undefined);

/** An event of a person that a service reports. */
export interface HookEvent {
  name: string;
  email: EmailAddress;
  data: Record<string, unknown>;
  /** Milliseconds; undefined if the service does not say when it happened. */
  at: number | undefined;
}

/** What a call contains. */
export interface HookCall {
  mails: HookMail[];
  events: HookEvent[];
}

/** Returns a call with one event, or without any if nobody can be found by the address. */
export function callWithEvent(event: Omit<HookEvent, "email">, email: string): HookCall {
  const parsed = parseEmailAddress(email);
  const isStorable = parsed.ok && isEventName(event.name);
  return { mails: [], events: isStorable ? [{ ...event, email: parsed.address }] : [] };
}

const refuse = (path: string) => refusal("invalid_hook_body", { path });

/** Reads the body of a call. Throws invalid_hook_body. */
export function readBody<Body>(schema: z.ZodType<Body>, bytes: Uint8Array): Body {
  const parsed = schema.safeParse(jsonOf(bytes));
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues[0]?.path.join(".") || "the body");
}

/** Parses JSON; undefined for any other text. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // matches no schema
  }
}

/** Returns the recipient in a field. Throws invalid_hook_body. */
export function recipientIn(path: string, text: string): Mailbox {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw refuse(path);
  return { name: "", address: parsed.address };
}
