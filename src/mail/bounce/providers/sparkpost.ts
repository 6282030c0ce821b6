/** Sources: SparkPost, "Webhooks" and "Bounce classification codes". */
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { isObject, objectOf, textOf } from "../json-values.ts";
import type { Provider } from "./provider.ts";

/** Bounce classes that are about the address. */
const HARD = new Set(["10", "30"]);

const OPT_OUTS = new Set(["link_unsubscribe", "list_unsubscribe"]);

export const sparkpost: Provider = {
  title: "SparkPost",
  isEvent: (item) => isObject(item["msys"]),
  read: (item) =>
    Object.values(objectOf(item["msys"]))
      .map(objectOf)
      .flatMap((event) => {
        const type = textOf(event["type"]);
        return entryOfEvent({
          email: event["rcpt_to"],
          meaning: meaningOf(type, String(event["bounce_class"])),
          words: textOf(event["raw_reason"]) || textOf(event["reason"]),
          isDelay: type === "delay",
        });
      }),
};

function meaningOf(type: string, bounceClass: string): EventMeaning | undefined {
  if (type === "spam_complaint") return "complaint";
  if (type === "delay") return "soft";
  if (OPT_OUTS.has(type)) return "opt_out";
  if (type !== "bounce" && type !== "out_of_band") return undefined;
  return HARD.has(bounceClass) ? "failure" : "soft";
}
