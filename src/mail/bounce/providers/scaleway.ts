/**
 * Source: Scaleway, "Understanding Webhook event payloads". They arrive over Topics and Events, in
 * messages of the form of Amazon SNS (services/bounces/open-sns-message.ts).
 */
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { textOf } from "../json-values.ts";
import { meaningIn, type Provider } from "./provider.ts";

const MEANINGS: Record<string, EventMeaning> = {
  email_mailbox_not_found: "permanent",
  email_blocklisted: "permanent",
  email_dropped: "failure",
  email_deferred: "soft",
  email_spam: "refusal",
};

export const scaleway: Provider = {
  title: "Scaleway",
  isEvent: (item) => textOf(item["type"]).startsWith("email_") && "email_to" in item,
  read: (item) => {
    const said = [item["email_response_code"], item["email_response_message"]];
    return entryOfEvent({
      email: item["email_to"],
      meaning: meaningIn(MEANINGS, textOf(item["type"])),
      words: said.filter(Boolean).map(String).join(" "),
      isDelay: item["type"] === "email_deferred",
    });
  },
};
