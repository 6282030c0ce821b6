import { messageFrom, type Message, type Param, type ParamsFor } from "./message.ts";

/** The problems that a pre-flight finds (API reference §11.11). */
export const PREFLIGHT_PROBLEMS = {
  broken_audience: "{reason}",
  empty_audience: "no one would get this broadcast",
  unknown_topic:
    'the condition names a topic that the project does not have: "{name}". It matches no one, and with `not` everyone',
  similar_broadcast:
    "a broadcast with the same subject or HTML begins within a day of this one, at {time}: {subject}",
  wrong_start_time: "{reason}",
  no_content: "{reason}",
  broken_content: "{reason}",
  too_large:
    "the HTML has {bytes} bytes as sent, and emails with more than {max} are not delivered",
  invalid_link: "invalid links: {links}",
  no_sender: "{reason}",
  storage_full: "the storage is {percent}% full, so no mail is sent",
  missing_variable: "{reason}",
  no_unsubscribe_link: "{reason}",
  broken_link: "broken links: {links}",
  clipped: "{reason}",
  placeholder: "{reason}",
  sender_problem: "{check} of {domain}: {finding}",
  daily_limit:
    "the limit of {limit} emails per day leaves room for {free} of {mails} emails today: the others are sent on the following days",
  storage_short:
    "the log of this broadcast fills the storage to {after}%: at {full}%, the broadcast pauses",
  paused_broadcast: 'the broadcast "{subject}" is auto-paused and waiting for you: {reason}',
  identical_variants: "the variants {variants} are identical, so the winner would be random",
  link_not_https: "links without HTTPS: {links}",
  link_unclear: "links that could not be checked: {links}",
  no_text_part: "{reason}",
  image_without_alt: "{reason}",
  sender_warning: "{check} of {domain}: {finding}",
} as const;

export type PreflightCode = keyof typeof PREFLIGHT_PROBLEMS;

/** All codes. `Object.keys` loses their type. */
export const PREFLIGHT_CODES = Object.keys(PREFLIGHT_PROBLEMS) as PreflightCode[];

/** Makes what a pre-flight says about a problem. */
export const preflightProblem = <Code extends PreflightCode>(
  code: Code,
  params?: ParamsFor<(typeof PREFLIGHT_PROBLEMS)[Code]>,
): Message<Code> => messageFrom(PREFLIGHT_PROBLEMS, code, params);

/** Says that a problem is one of a variant of an A/B test: its params name the variant. */
export const ofVariant = (
  said: Message<PreflightCode>,
  variant: string,
): Message<PreflightCode> => ({
  code: said.code,
  params: { ...said.params, variant },
  message: preflightReason("of_variant", { variant, problem: said }).message,
});

/** The parts of what a pre-flight says. */
export const PREFLIGHT_REASONS = {
  more_like_it: "{reason}, and {count} more like it",
  of_variant: "variant {variant}: {problem}",
  list_item: "{one}, {next}",
  variable_of_nobody: "{variable} is empty for every recipient: nothing sets it",
  variable_of_some:
    "{variable} is empty for {people} of {looked} recipients checked, such as {examples}",
  link_because: "{url} ({reason})",
  link_not_public: "it points to an address that is not public: {reason}",
  link_not_asked: "only the first {max} links are checked",
  link_slow: "its server did not answer in time",
  link_unreachable: "its server could not be reached",
  link_status: "its server returns {status}",
  link_status_to_programs: "its server returns {status} to automated requests",
  too_many_redirects: "it redirects more than {max} times",
} as const;

export type PreflightReasonCode = keyof typeof PREFLIGHT_REASONS;

/** Makes a part of what a pre-flight says. */
export const preflightReason = <Code extends PreflightReasonCode>(
  code: Code,
  params?: ParamsFor<(typeof PREFLIGHT_REASONS)[Code]>,
): Message<Code> => messageFrom(PREFLIGHT_REASONS, code, params);

/** Makes one text of several, with commas between them. */
export const listed = (items: readonly Param[]): Param =>
  items.reduce((one, next) => preflightReason("list_item", { one, next }));
