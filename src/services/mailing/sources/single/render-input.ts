import type { Deps } from "../../../../deps.ts";
import { notFound, refusal } from "../../../../errors.ts";
import { parseEmailAddress } from "../../../../mail/address.ts";
import { titleOf } from "../../../../mail/html/title.ts";
import type { ProjectRow } from "../../../access/index.ts";
import type { SubscriberRow } from "../../../subscribers/index.ts";
import {
  renderBodies,
  renderOnce,
  requireBody,
  subjectOf,
  templateNamed,
  type InlineTemplate,
  type MailTemplate,
  type RenderedMail,
  type SubjectOf,
} from "../../../templates/index.ts";
import { unsubscribeUrl } from "../../../tracking/index.ts";
import { NO_EXTRAS } from "../../compose.ts";
import { addressVariables, subscriberData, topicLink } from "../../variables.ts";
import { requireTemplate, type SendFacts } from "./send-facts.ts";
import type { SendInput, SingleMail } from "./send-input.ts";

/**
 * Renders a mail from its input and the facts from D1.
 * Throws not_found (template, subscriber), subscriber_not_mailable, empty_mail and errors of templates.
 */
export async function renderInput(
  deps: Deps,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
): Promise<SingleMail> {
  const mail = await renderShape(deps, project, input, facts);
  requireBody(mail.rendered);
  return mail;
}

const NO_IDS = { templateId: null, subscriberId: null };

async function renderShape(
  deps: Deps,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
): Promise<SingleMail> {
  switch (input.shape) {
    case "raw": {
      const { to, subject, html, text, extras, unchanged, preheader: previewText } = input;
      const rendered = { subject, html, text, ...(previewText && { previewText }) };
      const url = await topicLink(deps, project.id, to.address, facts.topic);
      const unsubscribe =
        url === undefined ? undefined : { url, isRequired: true, isSubscribers: false };
      const mail = { to, rendered, extras, ...NO_IDS, unsubscribe };
      return unchanged ? { ...mail, ...unchanged, isUntouched: true } : mail;
    }
    case "template":
      return renderForAddress(deps, project.id, requireTemplate(facts), input, facts);
    case "service":
      return {
        to: input.to,
        rendered: input.content,
        extras: NO_EXTRAS,
        ...NO_IDS,
        unsubscribe: undefined,
        isUntouched: true,
      };
    case "named":
      return renderNamed(deps, project, input, facts);
    case "subscriber": {
      const { templateName, granting } = input;
      const template =
        granting ??
        (templateName === undefined
          ? requireTemplate(facts)
          : templateNamed(facts.template, templateName, project));
      const subscriber = requireSubscriber(facts);
      const mail = await renderForSubscriber(deps, project.id, template, subscriber, input, facts);
      if (!granting) return mail;
      return { ...mail, unsubscribe: undefined, isUntouched: true };
    }
  }
}

/** Renders a template for an address. */
async function renderForAddress(
  deps: Deps,
  projectId: string,
  template: MailTemplate,
  input: Extract<SendInput, { shape: "template" }>,
  { topic }: SendFacts,
): Promise<SingleMail> {
  const { to, extras, unsubscribe: given, preheader } = input;
  const { data, unsubscribe } = given
    ? { data: input.data, unsubscribe: given }
    : await addressVariables(
        deps,
        projectId,
        to.address,
        input.data,
        await topicLink(deps, projectId, to.address, topic),
      );
  const rendered = render(template, subjectOf(template, input.subject), data, preheader);
  const { id: templateId, tracking: templateTracking } = template;
  return { to, rendered, extras, templateId, templateTracking, subscriberId: null, unsubscribe };
}

const subscribersLink = (url: string) => ({ url, isRequired: true, isSubscribers: true });

/**
 * Renders a mail to any address. If the address belongs to a subscriber of any status, adds the
 * subscriber's variables. The status does not matter, because this mail belongs to no list. The
 * mail has unsubscribe headers if it shows the unsubscribe link.
 */
async function renderNamed(
  deps: Deps,
  project: ProjectRow,
  input: Extract<SendInput, { shape: "named" }>,
  { template: own, subscriber, topic }: SendFacts,
): Promise<SingleMail> {
  const { to, content, extras, preheader } = input;
  const ofTopic = await topicLink(deps, project.id, to.address, topic);
  const { data, unsubscribe } = subscriber
    ? namedSubscriber(deps, project.id, subscriber, input.data, ofTopic)
    : await addressVariables(
        deps,
        project.id,
        to.address,
        { email: to.address, ...input.data },
        ofTopic,
      );
  const template = "html" in content ? undefined : templateNamed(own, content.template, project);
  const rendered = template
    ? render(template, subjectOf(template, content.subject), data, preheader)
    : renderInline(
        { htmlBody: "html" in content ? content.html : "", textBody: "", previewText: preheader },
        content.subject,
        data,
        project.name,
      );
  return {
    to,
    rendered,
    extras,
    templateId: template?.id ?? null,
    templateTracking: template?.tracking,
    subscriberId: subscriber?.id ?? null,
    unsubscribe,
  };
}

/** Returns the variables of a named mail to a subscriber, and their link. */
function namedSubscriber(
  deps: Deps,
  projectId: string,
  subscriber: SubscriberRow,
  given: Record<string, unknown>,
  ofTopic: string | undefined,
) {
  const url = ofTopic ?? unsubscribeUrl(deps, projectId, subscriber.id);
  const unsubscribe = { url, isRequired: ofTopic !== undefined, isSubscribers: true };
  return { data: subscriberData(subscriber, given, url), unsubscribe };
}

/**
 * Renders the HTML that a send contains. Without a given subject, uses the title of the HTML, or
 * otherwise the name of the project: the contract makes the subject optional.
 */
function renderInline(
  bodies: Omit<InlineTemplate, "subject">,
  subject: string | undefined,
  data: Record<string, unknown>,
  projectName: string,
): RenderedMail {
  const rendered = renderOnce({ subject: subject ?? "", ...bodies }, data);
  if (subject !== undefined) return rendered;
  return { ...rendered, subject: titleOf(rendered.html) ?? projectName };
}

async function renderForSubscriber(
  deps: Deps,
  projectId: string,
  template: MailTemplate,
  subscriber: SubscriberRow,
  input: Extract<SendInput, { shape: "subscriber" }>,
  { topic }: SendFacts,
): Promise<SingleMail> {
  const { email, id, status } = subscriber;
  // Until the address is confirmed, a stranger may have typed the name.
  const name = input.isPublic && status === "pending" ? "" : subscriber.name;
  const address = parseEmailAddress(email);
  if (!address.ok) throw refusal("subscriber_not_mailable", { reason: address.fault });
  const ofTopic = await topicLink(deps, projectId, address.address, topic);
  const url = ofTopic ?? unsubscribeUrl(deps, projectId, id);
  const data = subscriberData({ ...subscriber, name }, input.data, url);
  const toSubject = subjectOf(template, input.subject);
  const subject = toSubject(input.isPublic ? { ...data, metadata: {} } : data);
  return {
    to: { name, address: address.address },
    rendered: { subject, ...renderBodies(template, data, input.preheader) },
    extras: NO_EXTRAS,
    templateId: template.id,
    templateTracking: template.tracking,
    subscriberId: id,
    unsubscribe: subscribersLink(url),
  };
}

function render(
  template: MailTemplate,
  toSubject: SubjectOf,
  data: Record<string, unknown>,
  preheader: string | undefined,
): RenderedMail {
  return { subject: toSubject(data), ...renderBodies(template, data, preheader) };
}

function requireSubscriber({ subscriber }: SendFacts): SubscriberRow {
  if (!subscriber) throw notFound("subscriber");
  return subscriber;
}
