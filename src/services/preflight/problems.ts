import type { Message, ParamsFor } from "../../messages/message.ts";
import {
  preflightProblem,
  type PreflightCode,
  type PREFLIGHT_PROBLEMS,
} from "../../messages/preflight.ts";

/**
 * The problems that a pre-flight finds, with their grades and the places to fix them. Starting with
 * a problem of the grade `stop` requires accepting it by its code.
 */
export const GRADES = ["stop", "warning", "hint"] as const;
export const PLACES = ["audience", "broadcast", "content", "sender", "server", "service"] as const;

const RULES = {
  broken_audience: ["stop", "audience"],
  empty_audience: ["stop", "audience"],
  unknown_topic: ["stop", "audience"],
  similar_broadcast: ["stop", "broadcast"],
  wrong_start_time: ["stop", "broadcast"],
  no_content: ["stop", "content"],
  broken_content: ["stop", "content"],
  too_large: ["stop", "content"],
  invalid_link: ["stop", "content"],
  no_sender: ["stop", "server"],
  storage_full: ["stop", "service"],
  missing_variable: ["warning", "content"],
  no_unsubscribe_link: ["warning", "content"],
  broken_link: ["warning", "content"],
  clipped: ["warning", "content"],
  placeholder: ["warning", "content"],
  sender_problem: ["warning", "sender"],
  daily_limit: ["warning", "server"],
  storage_short: ["warning", "service"],
  paused_broadcast: ["warning", "broadcast"],
  identical_variants: ["warning", "broadcast"],
  link_not_https: ["hint", "content"],
  link_unclear: ["hint", "content"],
  no_text_part: ["hint", "content"],
  image_without_alt: ["hint", "content"],
  sender_warning: ["hint", "sender"],
} as const satisfies Record<
  PreflightCode,
  readonly [(typeof GRADES)[number], (typeof PLACES)[number]]
>;

/** A finding about a broadcast before its start. */
export interface Problem extends Message<PreflightCode> {
  grade: (typeof GRADES)[number];
  fixIn: (typeof PLACES)[number];
  /** The other broadcast that the problem is about. */
  broadcastId?: string;
}

export function problem<Code extends PreflightCode>(
  code: Code,
  params: ParamsFor<(typeof PREFLIGHT_PROBLEMS)[Code]>,
  broadcastId?: string,
): Problem {
  const [grade, fixIn] = RULES[code];
  const said = preflightProblem(code, params);
  return { ...said, grade, fixIn, ...(broadcastId === undefined ? {} : { broadcastId }) };
}

/** The problems whose text is the reason itself. */
export type ReasonedCode = {
  [Code in PreflightCode]: (typeof PREFLIGHT_PROBLEMS)[Code] extends "{reason}" ? Code : never;
}[PreflightCode];
