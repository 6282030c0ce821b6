import type { Message } from "../../../messages/message.ts";
import { timelineMessage, type TimelineCode } from "../../../messages/timeline.ts";
import { REFUSAL_REASONS, type RefusalReason } from "../../../mail/bounce/index.ts";
import type { SuppressionRow } from "../../suppressions/index.ts";
import { isUnknown, OPTED_OUT } from "../logged-errors.ts";
import type { Origin } from "./find-origin.ts";
import type { EntryRow } from "../log-rows.ts";

/** What happened to a mail and what to do about it, in one sentence each. */
export interface Explanation {
  whatHappened: Message<TimelineCode>;
  whatToDo: Message<TimelineCode>;
}

interface Facts {
  entry: Pick<
    EntryRow,
    "status" | "error" | "reason" | "openedAt" | "clickedAt" | "openedClass" | "test"
  >;
  clicks: { class: string }[];
  suppression: Pick<SuppressionRow, "reason"> | undefined;
  origin: Origin;
}

/** Explains the state of a mail from its entry, the reason of a rejection, and later reports. */
export function explain(facts: Facts): Explanation {
  const { status, test } = facts.entry;
  if (test === 1) return say("simulated", "nothing_to_do");
  if (status === "sent") return explainSent(facts);
  if (status === "suppressed") return explainSuppressed(facts);
  return explainRefusal(facts);
}

function explainSent({ entry, clicks, origin }: Facts): Explanation {
  if (origin.complaint) return say("complained", "stop_mailing");
  const human = clicks.some((click) => click.class === "human");
  if (entry.clickedAt !== null) return say(human ? "clicked" : "link_visited", "nothing_to_do");
  if (entry.openedAt !== null)
    return say(entry.openedClass === "human" ? "opened" : "images_loaded", "nothing_to_do");
  return say("accepted", "nothing_more_to_learn");
}

function explainSuppressed({ entry, suppression }: Facts): Explanation {
  if (entry.error === OPTED_OUT) return say("opted_out", "respect_unsubscribe");
  if (!suppression) return say("suppressed", "send_again");
  const whatToDo = {
    hard_bounce: "ask_before_removing",
    unsubscribed: "respect_unsubscribe",
    manual: "remove_from_list",
  } as const;
  return say("suppressed", whatToDo[suppression.reason]);
}

function explainRefusal({ entry, origin, suppression }: Facts): Explanation {
  const { status } = entry;
  const reason = REFUSAL_REASONS.find((one) => one === entry.reason);
  if (reason) {
    const isReported = origin.bounce !== null && origin.bounce.by !== "smtp";
    const toDo = TO_DO[reason];
    const isListed = toDo === "ask_for_address" && suppression !== undefined;
    return {
      whatHappened: timelineMessage(isReported ? "returned" : "refused", {
        reason: timelineMessage(reason),
      }),
      whatToDo: timelineMessage(isListed ? "ask_for_address_suppressed" : toDo),
    };
  }
  if (isUnknown(entry)) return say("outcome_unknown", "ask_recipient");
  if (status === "bounced") return say("undeliverable", "ask_for_address");
  return say("not_sent", "correct_error");
}

const say = (
  happened: Exclude<TimelineCode, "refused" | "returned">,
  toDo: TimelineCode,
): Explanation => ({
  whatHappened: timelineMessage(happened),
  whatToDo: timelineMessage(toDo),
});

/** What to do about each rejection reason. */
const TO_DO: Record<RefusalReason, Exclude<TimelineCode, "refused" | "returned">> = {
  user_unknown: "ask_for_address",
  mailbox_disabled: "ask_for_address",
  host_unknown: "check_address",
  no_mx: "check_address",
  mailbox_full: "wait_for_room",
  sender_rejected: "check_sender",
  blocked: "leave_blocklist",
  policy: "read_rule",
  authentication: "set_up_authentication",
  content: "change_content",
  too_large: "make_smaller",
  relaying_denied: "check_login",
  system: "tell_operator",
  unknown: "read_error",
  rate_limited: "send_slower",
  greylisted: "send_soon",
  network: "try_later",
  expired: "check_domain",
};
