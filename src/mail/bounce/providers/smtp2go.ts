/** Source: SMTP2GO, "Webhooks Overview". */
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { textOf } from "../json-values.ts";
import { meaningIn, type Provider } from "./provider.ts";

const MEANINGS: Record<string, EventMeaning> = {
  spam: "complaint",
  unsubscribe: "opt_out",
};

export const smtp2go: Provider = {
  title: "SMTP2GO",
  isEvent: ({ event, rcpt }) => typeof event === "string" && typeof rcpt === "string",
  read: (item) => {
    return entryOfEvent({
      email: item["rcpt"],
      meaning: meaningOf(textOf(item["event"]), item["bounce"]),
      words: textOf(item["message"]) || textOf(item["context"]),
      messageId: item["message-id"] ?? item["Message-Id"],
    });
  },
};

function meaningOf(event: string, bounce: unknown): EventMeaning | undefined {
  if (event !== "bounce") return meaningIn(MEANINGS, event);
  return bounce === "soft" ? "soft" : "failure";
}
