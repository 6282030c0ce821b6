import type { SendStep } from "../../lib/automation-definition.ts";
import type { TemplateRow } from "../templates/index.ts";

/** The content of a step's mail: its own, or that of its template with the step's subject. */
export type StepMail = Pick<
  TemplateRow,
  "subject" | "htmlBody" | "textBody" | "preheader" | "tracking"
>;

export function mailOf(step: SendStep, template: TemplateRow | undefined): StepMail {
  if (template) return { ...template, subject: step.subject ?? template.subject };
  const { subject = "", html_body: htmlBody = "" } = step;
  return { subject, htmlBody, textBody: "", preheader: "", tracking: {} };
}
