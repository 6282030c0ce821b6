/** Sources: Postmark, "Bounce webhook", "Bounce types" and "Subscription change webhook". */
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { type JsonObject, textOf } from "../json-values.ts";
import { meaningIn, type Provider } from "./provider.ts";

/** Types of bounces that are about the address. */
const HARD = new Set(["HardBounce", "BadEmailAddress", "ManuallyDeactivated"]);

/** Reasons why Postmark stops mail to an address. */
const SUPPRESSIONS: Record<string, EventMeaning> = {
  HardBounce: "permanent",
  SpamComplaint: "complaint",
};

export const postmark: Provider = {
  title: "Postmark",
  isEvent: (item) => typeof item["RecordType"] === "string",
  read: (item) =>
    entryOfEvent({
      email: item["Email"] ?? item["Recipient"],
      meaning: meaningOf(textOf(item["RecordType"]), item),
      words: textOf(item["Details"]) || textOf(item["Description"]),
    }),
};

function meaningOf(record: string, item: JsonObject): EventMeaning | undefined {
  if (record === "SubscriptionChange") return meaningOfChange(item);
  const type = textOf(item["Type"]);
  if (record === "SpamComplaint" || type === "SpamComplaint") return "complaint";
  return record === "Bounce" && HARD.has(type) ? "failure" : "soft";
}

/** Only the recipient can opt out, and no provider can opt a person in. */
function meaningOfChange(item: JsonObject): EventMeaning | undefined {
  if (item["SuppressSending"] !== true) return undefined;
  const reason = textOf(item["SuppressionReason"]);
  const isOptOut = reason === "ManualSuppression" && item["Origin"] === "Recipient";
  return isOptOut ? "opt_out" : meaningIn(SUPPRESSIONS, reason);
}
