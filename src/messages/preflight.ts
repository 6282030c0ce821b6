import { messageFrom, type Message, type Param, type ParamsFor } from "./message.ts";

/** The problems that a pre-flight finds (API reference §11.11). */
export const PREFLIGHT_PROBLEMS = {
  broken_audience: "{reason}",
  empty_audience: "no one would get this broadcast",
  unknown_topic:
    'the condition names a topic that the project does not have: "{name}". It matches no one, and with `not` everyone',
  similar_broadcast: "{reason}",
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
  sender_problem: "{findings}",
  daily_limit:
    "the limit of {limit} emails per day leaves room for {free} of {mails} emails today: the others are sent on the following days",
  storage_short:
    "the log of this broadcast fills the storage to {after}%: at {full}%, the broadcast pauses",
  paused_broadcast: 'the broadcast "{subject}" is auto-paused and waiting for you: {reason}',
  identical_variants: "the variants {variants} are identical, so the winner would be random",
  uncounted_variant: "{reason}: {variants}",
  link_not_https: "links without HTTPS: {links}",
  link_unclear: "links that could not be checked: {links}",
  links_left_out: "{count} more links were not checked: check them yourself",
  no_text_part: "{reason}",
  image_without_alt: "{reason}",
  template_name_shared:
    'other templates are also named "{name}": a send by this name uses the one that was changed last',
  sender_warning: "{findings}",
} as const;

export type PreflightCode = keyof typeof PREFLIGHT_PROBLEMS;

/** All codes. `Object.keys` loses their type. */
export const PREFLIGHT_CODES = Object.keys(PREFLIGHT_PROBLEMS) as PreflightCode[];

/** Makes what a pre-flight says about a problem. */
export const preflightProblem = <Code extends PreflightCode>(
  code: Code,
  params?: ParamsFor<(typeof PREFLIGHT_PROBLEMS)[Code]>,
): Message<Code> => messageFrom(PREFLIGHT_PROBLEMS, code, params);

/** Says that a problem is one of a variant of a trial: its params name the variant. */
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
  and_last: "{names} and {last}",
  list_item: "{one}, {next}",
  finding_about: "{check} of {domain}: {finding}",
  finding_next: "{one} {next}",
  started_minute_ago:
    "a broadcast with the same subject or HTML was started a minute ago: {subject}",
  started_minutes_ago:
    "a broadcast with the same subject or HTML was started {count} minutes ago: {subject}",
  started_hours_ago:
    "a broadcast with the same subject or HTML was started {count} hours ago: {subject}",
  scheduled_near: "a broadcast with the same subject or HTML is scheduled for {time}: {subject}",
  variable_of_nobody: "{variable} is empty for every recipient: nothing sets it",
  variable_of_some:
    "{variable} is empty for {people} of {looked} recipients checked, such as {examples}",
  without_html: "opens and clicks are not counted for variants without HTML",
  without_tracked_link: "clicks are not counted for variants without a tracked link",
  link_because: "{url} ({reason})",
  no_url: "(empty)",
  link_not_public: "it points to an address that is not public: {reason}",
  link_slow: "its server did not answer in time",
  link_unreachable: "its server could not be reached",
  link_status: "its server returns {status}",
  link_status_to_programs: "its server returns {status} to automated requests",
  redirect_nowhere: "its redirect has no target",
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
