import { z } from "zod";

/** The longest token of Cloudflare Turnstile. */
const tokenField = z.string().max(2_048).optional();

/** The token of Cloudflare Turnstile in a body; the second name is that of the widget's own field. */
export const turnstileFields = { turnstile_token: tokenField, "cf-turnstile-response": tokenField };

/** Returns the token that a body has under one of these names. */
export const turnstileTokenOf = (body: {
  [Name in keyof typeof turnstileFields]?: string | undefined;
}) => body.turnstile_token || body["cf-turnstile-response"];
