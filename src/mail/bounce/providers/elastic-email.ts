/** Source: Elastic Email, "Webhooks": parameters of a URL or a form. */
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { textOf } from "../json-values.ts";
import { meaningIn, type Provider } from "./provider.ts";

/** Categories of errors that are about the address or its mailbox. All others are refusals. */
const CATEGORIES: Record<string, EventMeaning> = {
  NoMailbox: "permanent",
  AccountProblem: "soft",
  GreyListed: "soft",
  Throttled: "soft",
  Timeout: "soft",
  ConnectionProblem: "soft",
  ConnectionTerminated: "soft",
};

export const elasticEmail: Provider = {
  title: "Elastic Email",
  isEvent: ({ status, transaction, to }) =>
    [status, transaction, to].every((value) => typeof value === "string"),
  read: (item) => {
    const category = textOf(item["category"]);
    return entryOfEvent({
      email: item["to"],
      meaning: meaningOf(textOf(item["status"]), category),
      words: category,
      messageId: item["messageid"],
    });
  },
};

function meaningOf(status: string, category: string): EventMeaning | undefined {
  switch (status) {
    case "Error":
    case "Bounced":
      return meaningIn(CATEGORIES, category) ?? "refusal";
    case "AbuseReport":
      return "complaint";
    case "Unsubscribed":
      return "opt_out";
    default:
      return undefined;
  }
}
