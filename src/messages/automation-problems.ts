import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** The problems of a definition, which a draft may have (API reference §12.18). */
export const AUTOMATION_PROBLEMS = {
  no_steps: "the automation has no steps",
  step_unreachable: "nobody reaches this step: all ways before it end",
  way_unreachable: "nobody takes this way: an earlier one has the same condition",
  condition_broken: "{reason}",
  template_missing: "the project does not have this template",
  topic_missing: 'the project does not have the topic "{name}"',
  segment_missing: "the project does not have this segment",
  field_missing: 'the project has no field with the key "{key}"',
  tag_unused: 'nobody has the tag "{tag}" yet',
  mail_missing: "this step has no mail yet: choose a template, or write a subject and a text",
  subject_missing: "the mail has no subject",
  mail_broken: "{reason}",
  mail_without_topic:
    "the mail belongs to no topic, so readers can only unsubscribe from everything",
  mail_without_unsubscribe_link: "the mail does not show {variable}",
  mail_without_confirmation_link: "the mail does not show {variable}, so nobody can confirm by it",
  webhook_missing: "the project has no webhook with this URL",
  addresses_missing: "this step names no addresses",
  variable_missing:
    "{variable} is empty for {people} of {looked} people who get this mail, such as {examples}",
  nothing_to_set: "this step changes nothing",
} as const;

export type AutomationProblemCode = keyof typeof AUTOMATION_PROBLEMS;

/** Makes what a problem says. */
export const automationProblem = <Code extends AutomationProblemCode>(
  code: Code,
  params?: ParamsFor<(typeof AUTOMATION_PROBLEMS)[Code]>,
): Message<Code> => messageFrom(AUTOMATION_PROBLEMS, code, params);
