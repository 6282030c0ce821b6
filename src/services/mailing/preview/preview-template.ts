import type { Ctx } from "../../../context.ts";
import { decideTracking, type TrackingSwitches } from "../../../lib/tracking-switches.ts";
import { decideUtm } from "../../../lib/utm.ts";
import { mailSettingsOf } from "../../projects/index.ts";
import type { ProjectRow } from "../../access/index.ts";
import { testViewUrl, unsubscribeUrl } from "../../tracking/index.ts";
import { contentProblem } from "../../../messages/templates.ts";
import { completeBodies } from "../decorate.ts";
import { NO_SUBSCRIBER_ID, variablesOf, type Audience } from "./audience.ts";
import { inspectHtml, sizeOfHtml, type PreviewLink } from "./inspect-html.ts";
import { problem, type Problem } from "./problems.ts";
import { findUnknown, renderPart } from "./render-part.ts";

/** The parts of a template that may not be saved yet. */
export interface PreviewInput {
  subject: string;
  preheader?: string | undefined;
  htmlBody: string;
  textBody: string;
  tracking?: TrackingSwitches | undefined;
  audience: Audience;
}

/** A mail as a recipient would get it. A part is null if it does not render. */
export interface Preview {
  subject: string | null;
  preheader: string | null;
  html: string | null;
  text: string | null;
  /** The bytes of the HTML with tracked links and the pixel; null if it does not render. */
  bytes: number | null;
  problems: Problem[];
  links: PreviewLink[];
}

/** The largest number of problems, and of links, in an answer. */
const PROBLEMS_MAX = 100;
const LINKS_MAX = 1_000;

/**
 * Renders a template for an audience and finds its problems. Reads, writes and sends nothing. Its
 * unsubscribe link unsubscribes nobody.
 */
export async function previewTemplate(
  { deps }: Ctx,
  project: ProjectRow,
  { subject, preheader = "", htmlBody, textBody, audience, ...own }: PreviewInput,
): Promise<Preview> {
  const link = unsubscribeUrl(deps, project.id, NO_SUBSCRIBER_ID);
  const isToSubscribers = audience.kind !== "address";
  const viewLink = await testViewUrl(deps, project.id);
  const { data, known } = variablesOf(audience, { unsubscribeLink: link, viewLink });
  const parts = {
    subject: renderPart("subject", subject, data),
    preheader: renderPart("preheader", preheader, data),
    html: renderPart("html_body", htmlBody, data),
    text: renderPart("text_body", textBody, data),
  };
  const problems = Object.values(parts).flatMap((part) => part.problems);
  const sources = { subject, preheader, html_body: htmlBody, text_body: textBody };
  if (problems.length === 0)
    for (const field of ["subject", "preheader", "html_body", "text_body"] as const)
      problems.push(...findUnknown(field, sources[field], known));
  if (parts.subject.text?.trim() === "")
    problems.push(problem(contentProblem("no_subject"), "subject"));

  const html = parts.html.text;
  const shown = { subject: parts.subject.text, preheader: parts.preheader.text };
  if (html === undefined) return preview({ ...shown, text: parts.text.text }, problems, []);
  const settings = mailSettingsOf(project);
  const tracking = decideTracking(settings.tracking, own.tracking);
  const found = inspectHtml(htmlBody, html, data, [link, viewLink], tracking);
  problems.push(...found.problems, ...missingParts(html, parts.text.text, textBody));
  const unsubscribe = { url: link, isRequired: isToSubscribers, isSubscribers: isToSubscribers };
  const bodies = { html, text: parts.text.text ?? "" };
  const whole = completeBodies(bodies, unsubscribe);
  const isAdded = html.trim() === "" ? whole.text !== bodies.text : whole.html !== html;
  if (isToSubscribers && isAdded) problems.push(problem(NO_LINK, "html_body"));
  const size = await sizeOfHtml(deps, bodies, {
    unsubscribe,
    tracking,
    utm: decideUtm(settings.utm),
  });
  problems.push(...size.problems);
  const text = parts.text.text === undefined ? undefined : whole.text;
  const mail = { ...shown, html: whole.html, text, bytes: size.bytes };
  return preview(mail, problems, found.links);
}

const NO_LINK = contentProblem("no_unsubscribe_link", { variable: "{{unsubscribe_link}}" });

function missingParts(html: string, text: string | undefined, source: string): Problem[] {
  if (html.trim() === "" && text?.trim() === "")
    return [problem(contentProblem("empty"), "html_body")];
  if (source !== "") return [];
  return [problem(contentProblem("no_text_part"), "text_body")];
}

function preview(
  mail: Partial<Record<"subject" | "preheader" | "html" | "text", string | undefined>> & {
    bytes?: number;
  },
  problems: Problem[],
  links: PreviewLink[],
): Preview {
  return {
    subject: mail.subject ?? null,
    preheader: mail.preheader ?? null,
    html: mail.html ?? null,
    text: mail.text ?? null,
    bytes: mail.bytes ?? null,
    problems: problems.slice(0, PROBLEMS_MAX),
    links: links.slice(0, LINKS_MAX),
  };
}
