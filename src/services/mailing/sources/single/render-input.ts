import type { Deps } from "../../../../deps.ts";
import { AppError, badRequest, notFound } from "../../../../errors.ts";
import { parseEmailAddress } from "../../../../mail/address.ts";
import { titleOf } from "../../../../mail/html/title.ts";
import type { ProjectRow } from "../../../access/index.ts";
import type { SubscriberRow } from "../../../subscribers/index.ts";
import {
  renderBodies,
  renderOnce,
  requireBody,
  showsUnsubscribe,
  subjectOf,
  templateNamed,
  type MailTemplate,
  type RenderedMail,
  type SubjectOf,
} from "../../../templates/index.ts";
import { unsubscribeUrl } from "../../../tracking/index.ts";
import { NO_EXTRAS } from "../../compose.ts";
import { watchLink } from "../../missing-link.ts";
import { subscriberData } from "../../variables.ts";
import { requireTemplate, type SendFacts } from "./send-facts.ts";
import type { SendInput, SingleMail } from "./send-input.ts";

/**
 * Renders a mail from its input and the facts from D1.
 * Throws not_found (template, subscriber), suppressed (an inactive subscriber, an unsubscribe link
 * in a mail without a subscription) and bad_request (rendering, a mail without a body).
 */
export function renderInput(
  deps: Deps,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
): SingleMail {
  const mail = renderShape(deps, project, input, facts);
  requireBody(mail.rendered);
  return mail;
}

const NO_IDS = { templateId: null, subscriberId: null };

function renderShape(
  deps: Deps,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
): SingleMail {
  switch (input.shape) {
    case "raw": {
      const { to, subject, html, text, extras } = input;
      return { to, rendered: { subject, html, text }, extras, ...NO_IDS };
    }
    case "template":
      return renderForAddress(requireTemplate(facts), input);
    case "service":
      return {
        to: input.to,
        rendered: input.content,
        extras: NO_EXTRAS,
        ...NO_IDS,
        isUntouched: true,
      };
    case "named":
      return renderNamed(deps, project, input, facts);
    case "subscriber": {
      const { templateName, confirmation } = input;
      const template =
        confirmation ??
        (templateName === undefined
          ? requireTemplate(facts)
          : templateNamed(facts.template, templateName));
      const subscriber = requireMailable(facts.subscriber, input.toPending ?? false);
      const mail = renderForSubscriber(deps, project.id, template, subscriber, input);
      if (!confirmation) return mail;
      const { unsubscribe: _unsubscribe, ...untouched } = mail;
      return { ...untouched, isUntouched: true };
    }
  }
}

/** Renders a template for an address. Throws suppressed if it prints the unsubscribe link. */
function renderForAddress(
  template: MailTemplate,
  { to, subject, data, extras, harmlessLink: url }: Extract<SendInput, { shape: "template" }>,
): SingleMail {
  const watched = watchLink(data);
  const rendered = render(template, subjectOf(template, subject), watched.data);
  watched.requireUnprinted();
  const mail = { to, rendered, extras, templateId: template.id, subscriberId: null };
  if (url === undefined) return mail;
  return { ...mail, unsubscribe: { url, isInTemplate: isLinkIn(template) } };
}

/**
 * Renders a mail to any address. If the address belongs to a subscriber of any status, adds the
 * subscriber's variables. The status does not matter, because this mail belongs to no list. The
 * mail has unsubscribe headers if its HTML contains the unsubscribe link.
 */
function renderNamed(
  deps: Deps,
  project: ProjectRow,
  { to, content, data, extras }: Extract<SendInput, { shape: "named" }>,
  { template: own, subscriber }: SendFacts,
): SingleMail {
  const template = "html" in content ? undefined : templateNamed(own, content.template);
  const html = "html" in content ? content.html : (template?.htmlBody ?? "");
  const link = subscriber && unsubscribeUrl(deps, project.id, subscriber.id);
  const variables =
    subscriber && link !== undefined
      ? subscriberData(subscriber, data, link)
      : { email: to.address, ...data };
  const watched = watchLink(variables);
  const rendered = template
    ? render(template, subjectOf(template, content.subject), watched.data)
    : renderInline(html, content.subject, watched.data, project.name);
  watched.requireUnprinted();
  return {
    to,
    rendered,
    extras,
    templateId: template?.id ?? null,
    subscriberId: subscriber?.id ?? null,
    ...(link !== undefined && showsUnsubscribe({ html, text: template?.textBody ?? "" })
      ? { unsubscribe: { url: link, isInTemplate: true } }
      : {}),
  };
}

/**
 * Renders the HTML that a send contains. Without a given subject, uses the title of the HTML, or
 * otherwise the name of the project (decision D63).
 */
function renderInline(
  html: string,
  subject: string | undefined,
  data: Record<string, unknown>,
  projectName: string,
): RenderedMail {
  const rendered = renderOnce({ subject: subject ?? "", htmlBody: html, textBody: "" }, data);
  if (subject !== undefined) return rendered;
  return { ...rendered, subject: titleOf(rendered.html) ?? projectName };
}

function renderForSubscriber(
  deps: Deps,
  projectId: string,
  template: MailTemplate,
  subscriber: SubscriberRow,
  input: { subject: string | undefined; data: Record<string, unknown>; isPublic?: boolean },
): SingleMail {
  const { email, name, id } = subscriber;
  const url = unsubscribeUrl(deps, projectId, id);
  const data = subscriberData(subscriber, input.data, url);
  const address = parseEmailAddress(email);
  if (!address.ok) throw badRequest(`the subscriber's email is not usable: ${address.reason}`);
  const toSubject = subjectOf(template, input.subject);
  const subject = toSubject(input.isPublic ? { ...data, metadata: {} } : data);
  return {
    to: { name, address: address.address },
    rendered: { subject, ...renderBodies(template, data) },
    extras: NO_EXTRAS,
    templateId: template.id,
    subscriberId: id,
    unsubscribe: { url, isInTemplate: isLinkIn(template) },
  };
}

const isLinkIn = ({ htmlBody: html, textBody: text }: MailTemplate) =>
  showsUnsubscribe({ html, text });

function render(
  template: MailTemplate,
  toSubject: SubjectOf,
  data: Record<string, unknown>,
): RenderedMail {
  return { subject: toSubject(data), ...renderBodies(template, data) };
}

function requireMailable(subscriber: SubscriberRow | undefined, toPending: boolean): SubscriberRow {
  if (!subscriber) throw notFound("subscriber");
  const { status } = subscriber;
  if (status !== "active" && !(toPending && status === "pending"))
    throw new AppError("suppressed", `the subscriber is ${status}, not active`);
  return subscriber;
}
