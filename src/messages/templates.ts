import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** Why a template does not parse or render, and where. */
export const TEMPLATE_FAULTS = {
  at_column: " at line {line}, column {column}",
  tag_not_closed: "a tag is not closed",
  block_not_closed: "this block is not closed",
  comment_not_closed: "a comment or raw block is not closed",
  token_not_allowed: "{found} is not allowed here, or its tag is not closed",
  token_outside_block: "{found} without a block",
  other_block_closed: "{open} doesn't match {close}",
  unknown_partial: 'the partial "{name}" is not defined in this template',
  unknown_decorator: '"{name}" is not a decorator; there is only "{only}"',
  unknown_helper: 'there is no helper "{name}"',
  block_needed: '"{name}" needs one argument and a block: {form}',
  one_context_needed: "a partial takes at most one context",
  too_many_template_levels: "nested more than {max} levels deep, where each else branch is a level",
  too_many_tags: "too many tags",
  template_too_long: "the template is longer than {max} KiB",
  nul_in_template: "the template contains a NUL character",
  too_many_steps: "it takes too many steps",
  output_too_long: "its output is too long",
  nests_too_deeply: "it nests too deeply",
  wrong_value: "a tag uses a value of the wrong type",
  not_a_helper: '"{name}" is not a helper',
  not_a_decorator: '"{name}" is not a decorator',
  handlebars: "{reason}",
} as const;

export type TemplateFaultCode = keyof typeof TEMPLATE_FAULTS;

/** Makes a part of the reason why a template does not parse or render. */
export const templateFault = <Code extends TemplateFaultCode>(
  code: Code,
  params?: ParamsFor<(typeof TEMPLATE_FAULTS)[Code]>,
): Message => messageFrom(TEMPLATE_FAULTS, code, params);

/** Why a link in a mail does not work. */
export const LINK_FAULTS = {
  link_empty: "the link is empty",
  link_relative: "the link is relative, and an email has no base URL",
  link_blocked: "email clients block links of this kind",
  link_unreadable: "the link is not a valid URL",
} as const;

export type LinkFaultCode = keyof typeof LINK_FAULTS;

export const linkFault = (code: LinkFaultCode): Message => messageFrom(LINK_FAULTS, code);

/** What is left of a new template of the dashboard. */
export const SAMPLES_LEFT = {
  sample_text: 'sample text is still there: "{text}"',
  sample_link: "a sample link is still there: {url}",
  sample_picture: "a sample picture is still there",
} as const;

export type SampleLeftCode = keyof typeof SAMPLES_LEFT;

export const sampleLeft = <Code extends SampleLeftCode>(
  code: Code,
  params?: ParamsFor<(typeof SAMPLES_LEFT)[Code]>,
): Message => messageFrom(SAMPLES_LEFT, code, params);

/** The problems that a preview of a template finds (API reference §10.6). */
export const CONTENT_PROBLEMS = {
  syntax: "{reason}",
  render: "{reason}",
  empty: "the email is empty: it has neither HTML nor text",
  unknown_variable: 'no recipient has the variable "{name}"',
  broadcasts_only: 'only broadcasts have the variable "{name}": it is empty in other mail',
  no_unsubscribe_link:
    "the email shows no unsubscribe link: it gets a small footer with one, and a key-based broadcast rejects HTML without {variable}",
  link: "{reason}",
  image_without_alt: "the image has no alt text",
  placeholder: "{reason}",
  too_large: "the HTML has {bytes} bytes as sent, and Gmail clips it at {max}",
  no_text_part: "there is no text part: one is made from the HTML",
  no_subject: "the email has no subject",
} as const;

export type ContentProblemCode = keyof typeof CONTENT_PROBLEMS;

/** Makes what a preview says about a template. */
export const contentProblem = <Code extends ContentProblemCode>(
  code: Code,
  params?: ParamsFor<(typeof CONTENT_PROBLEMS)[Code]>,
): Message<Code> => messageFrom(CONTENT_PROBLEMS, code, params);
