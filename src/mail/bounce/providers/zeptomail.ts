/** Source: Zoho, "Webhooks in a Mail Agent". */
import { createHmac } from "node:crypto";
import { secretsEqual } from "../../../lib/hash.ts";
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { isObject, type JsonObject, objectOf, textOf } from "../json-values.ts";
import { meaningIn, type Post, type Provider } from "./provider.ts";

const MEANINGS: Record<string, EventMeaning> = {
  hardbounce: "failure",
  softbounce: "soft",
  feedback_loop: "complaint",
};

/** Zoho posts some values as one object, and others as a list. */
const listOf = (value: unknown): JsonObject[] => [value].flat().filter(isObject);

export const zeptomail: Provider = {
  title: "ZeptoMail",
  isEvent: (item) => "event_name" in item && listOf(item["event_message"]).length > 0,
  read: (item) => {
    const [name] = [item["event_name"]].flat();
    const meaning = meaningIn(MEANINGS, textOf(name));
    return listOf(item["event_message"]).flatMap((message) => {
      const details = listOf(message["event_data"]).flatMap((data) => listOf(data["details"]));
      const bounced = details.filter((detail) => "bounced_recipient" in detail);
      if (bounced.length === 0)
        return recipientsOf(message).flatMap((email) =>
          entryOfEvent({ email, meaning, words: "" }),
        );
      return bounced.flatMap((detail) => {
        const words = textOf(detail["diagnostic_message"]) || textOf(detail["reason"]);
        return entryOfEvent({ email: detail["bounced_recipient"], meaning, words });
      });
    });
  },
  signature: { header: "producer-signature", isValid },
};

/** Returns the recipient of an email that has just one. */
function recipientsOf(message: JsonObject): unknown[] {
  const to = listOf(objectOf(message["email_info"])["to"]);
  const emails = to
    .flatMap((one) => listOf(one["email_address"]))
    .map((mailbox) => mailbox["address"]);
  return emails.length === 1 ? emails : [];
}

/** The signature covers the events, but not the time beside it. */
function isValid({ text, header }: Post, key: string): boolean {
  const given = /(?:^|;)\s*s=([^;]+)/.exec(header("producer-signature"))?.[1] ?? "";
  const expected = createHmac("sha256", key).update(text, "utf8").digest("base64");
  return secretsEqual(given, encodeURIComponent(expected)) || secretsEqual(given, expected);
}
