import { AppError, reasonOf } from "../../errors.ts";
import type { Definition, SendStep, Step } from "../../lib/automation-definition.ts";
import { allSteps, stepsOfWay, waysOf, type PlacedStep } from "../../lib/automation-steps.ts";
import {
  automationProblem,
  type AUTOMATION_PROBLEMS,
  type AutomationProblemCode,
} from "../../messages/automation-problems.ts";
import type { Message, ParamsFor } from "../../messages/message.ts";
import { printsConfirmation } from "../../mail/template/index.ts";
import { parseOfAutomation } from "../segments/index.ts";
import { checkTemplate, showsUnsubscribe } from "../templates/index.ts";
import { mailOf } from "./mail-of-step.ts";
import {
  conditionsOf,
  removedTagsOf,
  topicIdsOf,
  topicsIn,
  type DefinitionFacts,
} from "./read-facts.ts";

/** Problems that only need to be looked at. All others keep an automation from starting. */
const WARNINGS: readonly AutomationProblemCode[] = [
  "field_missing",
  "tag_unused",
  "mail_without_topic",
  "mail_without_unsubscribe_link",
  "variable_missing",
];

export const GRADES = ["stop", "warning"] as const;

/** A problem of a definition, with the path of what it is about. */
export interface AutomationProblem extends Message<AutomationProblemCode> {
  grade: (typeof GRADES)[number];
  path: string;
}

export function problem<Code extends AutomationProblemCode>(
  path: string,
  code: Code,
  params?: ParamsFor<(typeof AUTOMATION_PROBLEMS)[Code]>,
): AutomationProblem {
  const grade = WARNINGS.includes(code) ? "warning" : "stop";
  return { ...automationProblem(code, params), grade, path };
}

/** Returns the problems of a definition in the order of its parts. */
export function problemsOf(definition: Definition, facts: DefinitionFacts): AutomationProblem[] {
  return [
    ...ofTrigger(definition, facts),
    ...(definition.steps.length === 0 ? [problem("steps", "no_steps")] : []),
    ...unreachable(definition.steps, "steps"),
    ...conditionsOf(definition).flatMap((one) => ofCondition(one, facts)),
    ...allSteps(definition).flatMap((placed) => ofStep(placed, facts)),
  ];
}

function ofTrigger({ trigger }: Definition, { missing }: DefinitionFacts): AutomationProblem[] {
  switch (trigger.type) {
    case "topic":
      return missing.topics.has(trigger.topic_id)
        ? [problem("trigger.topic_id", "topic_missing", { name: trigger.topic_id })]
        : [];
    case "segment":
      return missing.segments.has(trigger.segment_id)
        ? [problem("trigger.segment_id", "segment_missing")]
        : [];
    case "date":
      return missing.fields.has(trigger.field)
        ? [problem("trigger.field", "field_missing", { key: trigger.field })]
        : [];
    case "tag_removed":
      return missing.tags.has(trigger.tag)
        ? [problem("trigger.tag", "tag_unused", { tag: trigger.tag })]
        : [];
    default:
      return [];
  }
}

/** Finds the first step of each list that no way leads to, and ways that repeat a condition. */
function unreachable(steps: readonly Step[], path: string): AutomationProblem[] {
  const last = steps.findIndex(isEnd);
  const beyond = last !== -1 && last + 1 < steps.length;
  const inWays = steps.flatMap((step, n) => {
    if (step.type !== "branch") return [];
    const wheres = step.ways.map(({ where }) => where.trim());
    return waysOf(step).flatMap((way) => {
      const place = way === "else" ? `${path}.${n}.else` : `${path}.${n}.ways.${way}`;
      const isTaken = way !== "else" && wheres.indexOf(wheres[way] ?? "") < way;
      const list = way === "else" ? place : `${place}.steps`;
      return [
        ...(isTaken ? [problem(place, "way_unreachable")] : []),
        ...unreachable(stepsOfWay(step, way), list),
      ];
    });
  });
  return [...(beyond ? [problem(`${path}.${last + 1}`, "step_unreachable")] : []), ...inWays];
}

/** Returns true for a step after which nobody goes on. */
const isEnd = (step: Step): boolean =>
  step.type === "end" ||
  (step.type === "branch" && waysOf(step).every((way) => stepsOfWay(step, way).some(isEnd)));

function ofCondition(
  condition: { path: string; where: string },
  { missing }: DefinitionFacts,
): AutomationProblem[] {
  const { path, where } = condition;
  const reason = refusalOf(() => parseOfAutomation(where));
  if (reason) return [problem(path, "condition_broken", { reason })];
  return topicsIn(condition)
    .filter((name) => missing.topics.has(name))
    .map((name) => problem(path, "topic_missing", { name }));
}

function ofStep({ step, path }: PlacedStep, facts: DefinitionFacts): AutomationProblem[] {
  const { missing } = facts;
  const inStep = [
    ...topicIdsOf(step)
      .filter((id) => missing.topics.has(id))
      .map((id) => problem(path, "topic_missing", { name: id })),
    ...removedTagsOf(step)
      .filter((tag) => missing.tags.has(tag))
      .map((tag) => problem(`${path}.remove_tags`, "tag_unused", { tag })),
  ];
  switch (step.type) {
    case "send":
      return [...inStep, ...ofMail(step, path, facts)];
    case "webhook":
      return missing.webhooks.has(step.url) ? [problem(`${path}.url`, "webhook_missing")] : [];
    case "notify":
      return step.emails.length === 0 ? [problem(`${path}.emails`, "addresses_missing")] : [];
    case "set": {
      const { id: _id, type: _type, ...changes } = step;
      const isEmpty = Object.values(changes).every((one) => Object.keys(one).length === 0);
      return isEmpty ? [problem(path, "nothing_to_set")] : inStep;
    }
    default:
      return inStep;
  }
}

function ofMail(step: SendStep, path: string, { templates }: DefinitionFacts): AutomationProblem[] {
  const template = step.template_id === undefined ? undefined : templates.get(step.template_id);
  if (step.template_id !== undefined && !template)
    return [problem(`${path}.template_id`, "template_missing")];
  const mail = mailOf(step, template);
  const { subject, htmlBody, textBody } = mail;
  if (htmlBody.trim() === "" && textBody.trim() === "") return [problem(path, "mail_missing")];
  if (subject.trim() === "") return [problem(`${path}.subject`, "subject_missing")];
  const reason = refusalOf(() => checkTemplate({ subject, htmlBody, textBody }));
  if (reason) return [problem(path, "mail_broken", { reason })];
  if (step.to === "pending") {
    const shown = htmlBody.trim() === "" ? textBody : htmlBody;
    if (printsConfirmation(shown)) return [];
    return [problem(path, "mail_without_confirmation_link", { variable: "{{confirm_url}}" })];
  }
  return [
    ...(step.topic_id === undefined ? [problem(path, "mail_without_topic")] : []),
    ...(showsUnsubscribe({ html: htmlBody, text: textBody })
      ? []
      : [problem(path, "mail_without_unsubscribe_link", { variable: "{{unsubscribe_link}}" })]),
  ];
}

/** Returns the reason of a refusal; undefined if there is none. */
function refusalOf(check: () => unknown): Message | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return reasonOf(error);
    throw error;
  }
}
