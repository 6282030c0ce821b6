import { z } from "zod";
import { LOCATION_HINTS } from "../../lib/location-hint.ts";
import { clearableEmailField, commandField, personField, storedPasswordField } from "../fields.ts";
import { withoutNulls } from "../given.ts";
import { writtenAs } from "../route/written-as.ts";
import { fault } from "../fault.ts";

const serverBody = z.object({
  smtp_host: z.string().trim().min(1, fault("required")).max(253),
  smtp_port: z.number().int().min(1).max(65_535),
  smtp_user: commandField(320).min(1, fault("required")),
  smtp_password: storedPasswordField,
});

/** A mail server as callers specify it. */
export type ServerBody = z.output<typeof serverBody>;

/** The fallback server; an empty host removes the stored one (becomes null). */
const fallbackField = writtenAs(
  z.preprocess((given) => {
    const server = withoutNulls(given);
    const isRemoval =
      typeof server === "object" && server && "smtp_host" in server && server.smtp_host === "";
    return isRemoval ? null : server;
  }, serverBody.nullable()),
  serverBody
    .partial()
    .required({ smtp_host: true })
    .describe('A second server. `{"smtp_host": ""}` removes it.'),
);

export const smtpBody = serverBody.extend({
  fallback: fallbackField.optional(),
  from_name: personField.optional(),
  from_email: clearableEmailField.optional(),
  location_hint: z.enum(LOCATION_HINTS).optional(),
});

const PLACE = ["smtp_host", "smtp_port", "smtp_user"] as const;

/** Settings to test before they are saved: a complete server, or overrides of the stored one. */
export const smtpTestBody = serverBody
  .partial()
  .extend({ from_name: personField.optional(), from_email: clearableEmailField.optional() })
  .transform((body, context) => {
    const { smtp_host: host, smtp_port: port, smtp_user: user } = body;
    const tried = {
      password: body.smtp_password,
      fromName: body.from_name,
      fromEmail: body.from_email,
      server: undefined,
    };
    if (host !== undefined && port !== undefined && user !== undefined)
      return { ...tried, server: { host, port, user } };
    const missing = PLACE.filter((name) => body[name] === undefined);
    if (missing.length === PLACE.length) return tried;
    context.addIssue({
      code: "custom",
      path: missing.slice(0, 1),
      message: fault("required_together", { fields: PLACE.join(", ") }),
    });
    return z.NEVER;
  });
