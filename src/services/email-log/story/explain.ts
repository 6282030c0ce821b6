import { REFUSAL_REASONS } from "../../../mail/bounce/index.ts";
import type { SuppressionRow } from "../../suppressions/index.ts";
import { isUnknown } from "../outcome-unknown.ts";
import { REASON_WORDS } from "./reason-words.ts";
import type { Origin } from "./find-origin.ts";
import type { EntryRow } from "../log-rows.ts";
import type { ClickRow } from "./story-queries.ts";

/** The explanation of what happened to a mail and what to do about it, in one sentence each. */
export interface Explanation {
  whatHappened: string;
  whatToDo: string;
}

interface Facts {
  entry: Pick<EntryRow, "status" | "error" | "reason" | "openedAt" | "clickedAt" | "openedClass">;
  clicks: Pick<ClickRow, "class">[];
  suppression: Pick<SuppressionRow, "reason"> | undefined;
  origin: Origin;
}

const NOTHING = "There is nothing to do.";
const WAIT = "There is nothing to do: acceptance is the last that most servers tell.";

/** Explains the state of a mail from its entry, the reason of a refusal, and later reports. */
export function explain(facts: Facts): Explanation {
  const { status } = facts.entry;
  if (status === "sent") return explainSent(facts);
  if (status === "suppressed") return explainSuppressed(facts);
  return explainRefusal(facts);
}

function explainSent({ entry, clicks, origin }: Facts): Explanation {
  if (origin.complaint)
    return {
      whatHappened: "The mail server accepted the mail, and the recipient has complained since.",
      whatToDo: "Do not mail this address again, and check how it came onto your list.",
    };
  const human = clicks.some((click) => click.class === "human");
  if (entry.clickedAt !== null)
    return {
      whatHappened: human
        ? "The mail server accepted the mail, and its recipient clicked a link in it."
        : "The mail server accepted the mail, and a link in it was visited, perhaps by a scanner.",
      whatToDo: NOTHING,
    };
  if (entry.openedAt !== null)
    return {
      whatHappened:
        entry.openedClass === "human"
          ? "The mail server accepted the mail, and its recipient opened it."
          : "The mail server accepted the mail, and its images were loaded, perhaps by a program.",
      whatToDo: NOTHING,
    };
  return { whatHappened: "The mail server accepted the mail.", whatToDo: WAIT };
}

function explainSuppressed({ suppression }: Facts): Explanation {
  const whatHappened = "The address was on the suppression list, so nothing was sent.";
  if (!suppression)
    return {
      whatHappened,
      whatToDo: "The address is not on the list any more: the mail can be sent again.",
    };
  const whatToDo = {
    hard_bounce: "Ask the person for another address, and remove the entry only if this one works.",
    unsubscribed: "Respect it: the person has unsubscribed and must subscribe again themselves.",
    manual: "Remove the entry from the list if the address may be mailed again.",
  };
  return { whatHappened, whatToDo: whatToDo[suppression.reason] };
}

function explainRefusal({ entry, origin }: Facts): Explanation {
  const { status } = entry;
  const reason = REFUSAL_REASONS.find((one) => one === entry.reason);
  if (reason) {
    const [why, whatToDo] = REASON_WORDS[reason];
    const isReported = status === "bounced" && origin.bounce?.by !== "smtp" && origin.bounce?.by;
    const how = isReported ? "The mail was accepted and came back" : "The mail was refused";
    return { whatHappened: `${how}: ${why}.`, whatToDo };
  }
  if (isUnknown(entry))
    return {
      whatHappened:
        "The connection was lost after the mail was handed over, so nobody knows if it arrived.",
      whatToDo: "Ask the recipient before you send it again: it could arrive twice.",
    };
  if (status === "bounced")
    return {
      whatHappened: "The address takes no mail.",
      whatToDo: "Ask the person for another address.",
    };
  return {
    whatHappened: "The mail was not sent: the error has the words.",
    whatToDo: "Remove the cause that the error names, and send the mail again.",
  };
}
