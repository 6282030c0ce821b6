import { z } from "zod";
import { consumeRateLimit, takePublicJoin } from "../../services/limits/index.ts";
import { audienceSettingsOf } from "../../services/projects/index.ts";
import { joinList, WELCOME_TEMPLATE } from "../../services/subscribers/index.ts";
import { personProof } from "../../services/topics/index.ts";
import { bearerOf } from "../credential.ts";
import { emailField, metadataField } from "../fields.ts";
import { FORM_BODY } from "../form-body.ts";
import type { HttpContext } from "../http-env.ts";
import { topicsField } from "../topics-field.ts";
import { turnstileFields, turnstileTokenOf } from "../turnstile-fields.ts";
import { route } from "../route/route.ts";
import { requiring } from "./required.ts";

/**
 * Returns true for a public key. Web pages contain these keys, so any reader of a page may call.
 */
const isPublicKey = (c: HttpContext) => (bearerOf(c) ?? "").startsWith("pk_");

const joinBody = requiring(
  ["email"],
  z.object({
    email: emailField,
    metadata: metadataField.default({}),
    sendWelcomeEmail: z.boolean().default(false),
    topics: topicsField.optional(),
    ...turnstileFields,
  }),
);

export const joinRoute = route({
  auth: "public_or_secret",
  method: "POST",
  path: "/join",
  operation: "keyed.join",
  summary: "Subscribes an address; works from a web page.",
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
  bodyTypes: FORM_BODY,
  otherTypes: ["text/html"],
  namesUnknownFields: true,
  answer: z.strictObject({
    email: z.string(),
    message: z.enum(["subscribed", "confirmation requested"]),
  }),
  status: 201,
  handle: async ({ c, ctx, project, body }) => {
    const { email, metadata, sendWelcomeEmail, topics: names } = body;
    const isPublic = isPublicKey(c);
    const { doubleOptIn, formText } = audienceSettingsOf(project);
    // A secret key is used by a server, whose IP address is no evidence about the person.
    const proof = isPublic
      ? personProof(ctx, "join", formText)
      : personProof({ clientIp: "", userAgent: "" }, "join", formText);
    // The name stays empty: with a public key, anyone could inject text into the greeting of a
    // welcome mail.
    const status = doubleOptIn ? "pending" : "active";
    const welcome = isPublic ? "public" : "own";
    const mail = doubleOptIn
      ? ({ confirm: sendWelcomeEmail ? welcome : "none", isPublic } as const)
      : sendWelcomeEmail
        ? { name: WELCOME_TEMPLATE, isPublic }
        : undefined;
    const action = doubleOptIn ? "requested" : "subscribed";
    await joinList(
      ctx,
      project,
      { email, status, metadata },
      {
        mail,
        topics: { names: names ?? [], isDefault: names === undefined, proof },
        consent: { action, proof },
        isPublic,
      },
      { turnstileToken: turnstileTokenOf(body) },
    );
    return {
      email,
      message: doubleOptIn ? ("confirmation requested" as const) : ("subscribed" as const),
    };
  },
});
