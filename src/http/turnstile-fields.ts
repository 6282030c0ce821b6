import { z } from "zod";

/** A Cloudflare Turnstile token; the limit is its maximum length. */
const tokenField = z.string().max(2_048).optional();

/** The Turnstile token in a body; the second name is the widget's own field name. */
export const turnstileFields = { turnstile_token: tokenField, "cf-turnstile-response": tokenField };

/** Returns the token from either field. */
export const turnstileTokenOf = (body: {
  [Name in keyof typeof turnstileFields]?: string | undefined;
}) => body.turnstile_token || body["cf-turnstile-response"];
