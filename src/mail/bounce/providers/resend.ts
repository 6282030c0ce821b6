/**
 * Sources: Resend, "Webhooks", "email.bounced", and "Verify webhook requests", whose signature is
 * that of Svix.
 */
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { fromBase64 } from "../../../lib/encoding.ts";
import { secretsEqual } from "../../../lib/hash.ts";
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { arrayOf, isObject, type JsonObject, objectOf, textOf } from "../json-values.ts";
import { isFresh, meaningIn, type Post, type Provider } from "./provider.ts";

/** A repeated post has a new time. */
const MAX_AGE_MS = 5 * MINUTE_MS;

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
  signature: { header: "svix-signature", isValid },
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

function isValid({ bytes, header }: Post, secret: string, now: number): boolean {
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  const [id, time] = [header("svix-id"), header("svix-timestamp")];
  if (!key.ok || !/^\d{1,12}$/.test(time)) return false;
  if (!isFresh(Number(time) * 1_000, now, MAX_AGE_MS)) return false;
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), bytes]);
  const expected = createHmac("sha256", key.bytes).update(signed).digest("base64");
  const given = header("svix-signature").split(" ");
  return given.some((one) => secretsEqual(one, `v1,${expected}`));
}
