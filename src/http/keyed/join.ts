import { z } from "zod";
import { consumeRateLimit, takePublicJoin } from "../../services/limits/index.ts";
import { createSubscriber } from "../../services/subscribers/index.ts";
import { bearerOf } from "../credential.ts";
import { emailField, metadataField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";
import { requiring } from "./required.ts";

/** The welcome template: the project's, or the built-in one (decision D40). */
const WELCOME = { name: "welcome" };

/** Tells whether the key is public: web pages contain such keys, so any reader may call. */
const isPublicKey = (c: HttpContext) => (bearerOf(c) ?? "").startsWith("pk_");

const joinBody = requiring(
  ["email"],
  z.object({
    email: emailField,
    metadata: metadataField.default({}),
    sendWelcomeEmail: z.boolean().default(false),
  }),
);

export const joinRoute = route({
  auth: "public_or_secret",
  method: "POST",
  path: "/join",
  operation: "keyed.join",
  summary: "Subscribes an address, also from a web page.",
  refusals: [409],
  example: { body: { email: "kim@example.com", metadata: { plan: "pro" } } },
  capability: "subscribers:write",
  limit: "keyed_join",
  takeValid: (c, ctx, projectId) =>
    isPublicKey(c)
      ? takePublicJoin(ctx, projectId)
      : consumeRateLimit(ctx, projectId, "keyed_join"),
  anyOrigin: true,
  body: joinBody,
  answer: z.strictObject({ email: z.string(), message: z.literal("subscribed") }),
  status: 201,
  handle: async ({ c, ctx, project, body }) => {
    const { sendWelcomeEmail, ...fields } = body;
    const mail = sendWelcomeEmail ? { ...WELCOME, isPublic: isPublicKey(c) } : undefined;
    // The name stays empty: any reader of a public key could put words into the greeting of a
    // welcome.
    const subscriber = { ...fields, name: "", status: "active" } as const;
    const { email } = await createSubscriber(ctx, project, subscriber, mail);
    return { email, message: "subscribed" as const };
  },
});
