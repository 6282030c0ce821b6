/**
 * Sources: Resend, "Webhooks", "email.bounced", and "Verify webhook requests", whose signature is
 * that of Svix.
 */
import { isSignedWebhook } from "../../signed-webhook.ts";
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { arrayOf, isObject, type JsonObject, objectOf, textOf } from "../json-values.ts";
import { meaningIn, type Provider } from "./provider.ts";

const BOUNCES: Record<string, EventMeaning> = { Transient: "soft", Undetermined: "refusal" };

export const resend: Provider = {
  title: "Resend",
  isEvent: ({ type, data }) =>
    textOf(type).startsWith("email.") && isObject(data) && Array.isArray(data["to"]),
  read: ({ type, data }) => {
    const email = objectOf(data);
    const to = arrayOf(email["to"]);
    const { message } = objectOf(email["bounce"] ?? email["suppressed"]);
    // An email to several addresses does not tell which of them bounced.
    const meaning = to.length === 1 ? meaningOf(textOf(type), email) : undefined;
    const messageId = email["message_id"];
    const isDelay = type === "email.delivery_delayed";
    return to.flatMap((one) =>
      entryOfEvent({ email: one, meaning, words: textOf(message), messageId, isDelay }),
    );
  },
  signature: {
    header: "svix-signature",
    isValid: (post, key, now) => isSignedWebhook(post, key, now, "svix"),
  },
};

function meaningOf(type: string, email: JsonObject): EventMeaning | undefined {
  switch (type) {
    case "email.bounced":
      return meaningIn(BOUNCES, textOf(objectOf(email["bounce"])["type"])) ?? "failure";
    case "email.suppressed":
      return "permanent";
    case "email.complained":
      return "complaint";
    default:
      return undefined;
  }
}
