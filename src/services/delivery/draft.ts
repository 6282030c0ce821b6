import type { Deps } from "../../deps.ts";
import { AppError, badRequest, notFound } from "../../errors.ts";
import { parseEmailAddress, type Mailbox } from "../../mail/address.ts";
import { titleOf } from "../../mail/html/title.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  compileSubject,
  ownSubject,
  renderBodies,
  renderOnce,
  templateNamed,
  type MailTemplate,
  type RenderedMail,
  type SubjectOf,
} from "../templates/index.ts";
import { unsubscribeUrl } from "../tracking/index.ts";
import { NO_EXTRAS, type Draft, type Extras } from "./compose-mail.ts";
import type { SubscriberRow } from "../subscribers/index.ts";
import { watchLink } from "./missing-link.ts";
import { requireBody } from "./require-body.ts";
import type { SendFacts } from "./send-facts.ts";
import { namesUnsubscribe, subscriberData } from "./subscriber-data.ts";

/** One mail in a shape of API reference §11.1, or `named` of §17.4. */
export type SendInput =
  | {
      shape: "template";
      to: Mailbox;
      templateId: string;
      subject: string | undefined;
      data: Record<string, unknown>;
      extras: Extras;
    }
  | { shape: "raw"; to: Mailbox; subject: string; html: string; text: string; extras: Extras }
  | {
      shape: "named";
      to: Mailbox;
      content: NamedContent;
      data: Record<string, unknown>;
      extras: Extras;
    }
  | {
      shape: "subscriber";
      subscriberId: string;
      /**
       * The name of a template of the project or of a built-in one. Without it, the id selects the
       * template.
       */
      templateName?: string | undefined;
      subject: string | undefined;
      data: Record<string, unknown>;
      /** True if a stranger wrote the subscriber's metadata, which the subject then cannot use. */
      isPublic?: boolean;
      /**
       * True if a subscriber who has not yet confirmed the address may get the mail. An
       * unsubscribed one never may.
       */
      toPending?: boolean;
    }
  /** A mail of the service itself. It is sent unchanged, because its links contain tokens. */
  | { shape: "service"; to: Mailbox; content: RenderedMail };

/** A named template with an optional subject, or HTML that the send itself contains. */
export type NamedContent =
  | { template: string; subject: string | undefined }
  | { html: string; subject: string | undefined };

/** A rendered mail. The caller adds the sender's From and the log id. */
export type Content = Omit<Draft, "from" | "logId"> & {
  templateId: string | null;
  subscriberId: string | null;
};

/**
 * Builds the content of a mail from its input and the facts from D1.
 * Throws not_found (template, subscriber), suppressed (an inactive subscriber, an unsubscribe link
 * in a mail without a subscription) and bad_request (rendering, a mail without a body).
 */
export function contentOf(
  deps: Deps,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
): Content {
  const content = shapedContent(deps, project, input, facts);
  requireBody(content.content);
  return content;
}

function shapedContent(
  deps: Deps,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
): Content {
  switch (input.shape) {
    case "raw": {
      const { to, subject, html, text, extras } = input;
      return { to, content: { subject, html, text }, extras, templateId: null, subscriberId: null };
    }
    case "template": {
      const template = requireTemplate(facts.template);
      const toSubject = subjectOf(template, input.subject);
      const content = renderForAddress(template, toSubject, input.data);
      const { to, extras } = input;
      return { to, content, extras, templateId: template.id, subscriberId: null };
    }
    case "service": {
      const { to, content } = input;
      const ids = { templateId: null, subscriberId: null };
      return { to, content, extras: NO_EXTRAS, ...ids, isUntouched: true };
    }
    case "named":
      return namedContent(deps, project, input, facts);
    case "subscriber": {
      const { templateName } = input;
      const template =
        templateName === undefined
          ? requireTemplate(facts.template)
          : templateNamed(facts.template, templateName);
      const subscriber = requireMailable(facts.subscriber, input.toPending ?? false);
      return subscriberContent(deps, project.id, template, subscriber, input);
    }
  }
}

/**
 * Builds a mail to any address. Adds a subscriber's variables if the address is a subscriber's, of
 * any status, because this mail belongs to no list. The mail has unsubscribe headers if its HTML
 * contains the unsubscribe link.
 */
function namedContent(
  deps: Deps,
  project: ProjectRow,
  { to, content, data, extras }: Extract<SendInput, { shape: "named" }>,
  { template: own, subscriber }: SendFacts,
): Content {
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
    content: rendered,
    extras,
    templateId: template?.id ?? null,
    subscriberId: subscriber?.id ?? null,
    ...(link !== undefined && namesUnsubscribe(html)
      ? { subscription: { unsubscribeUrl: link, linkInTemplate: true } }
      : {}),
  };
}

function subscriberContent(
  deps: Deps,
  projectId: string,
  template: MailTemplate,
  subscriber: SubscriberRow,
  input: { subject: string | undefined; data: Record<string, unknown>; isPublic?: boolean },
): Content {
  const link = unsubscribeUrl(deps, projectId, subscriber.id);
  const { email, name, id } = subscriber;
  const data = subscriberData(subscriber, input.data, link);
  const address = parseEmailAddress(email);
  if (!address.ok) throw badRequest(`the subscriber's email is not usable: ${address.reason}`);
  return {
    to: { name, address: address.address },
    content: {
      subject: subjectOf(
        template,
        input.subject,
      )(input.isPublic ? { ...data, metadata: {} } : data),
      ...renderBodies(template, data),
    },
    extras: NO_EXTRAS,
    templateId: template.id,
    subscriberId: id,
    subscription: {
      unsubscribeUrl: link,
      linkInTemplate: namesUnsubscribe(template.htmlBody),
    },
  };
}

/**
 * Returns the subject of a send: the given one, or the template's. Throws bad_request if it does
 * not parse.
 */
export function subjectOf(template: MailTemplate, given: string | undefined): SubjectOf {
  return given === undefined ? ownSubject(template) : compileSubject(given);
}

/** Renders a template with the subject of the send. */
export function render(
  template: MailTemplate,
  subject: SubjectOf,
  data: Record<string, unknown>,
): RenderedMail {
  return { subject: subject(data), ...renderBodies(template, data) };
}

/**
 * Renders a template for an address without a subscriber. Throws suppressed if it prints the
 * unsubscribe link.
 */
export function renderForAddress(
  template: MailTemplate,
  subject: SubjectOf,
  data: Record<string, unknown>,
): RenderedMail {
  const watched = watchLink(data);
  const rendered = render(template, subject, watched.data);
  watched.requireUnprinted();
  return rendered;
}

/**
 * Renders the HTML that a send contains. Without a given subject, uses the title of the HTML, or
 * else the name of the project (decision D63).
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

/**
 * Removes suppressed addresses from cc and bcc, in envelope and header alike. `skipped` lists them.
 * A suppressed address gets no mail, and a suppressed copy does not stop the mail to the others.
 */
export function withoutSuppressedCopies(
  content: Content,
  suppressed: Set<string>,
): { content: Content; skipped: string[] } {
  const { cc, bcc } = content.extras;
  const isHit = ({ address }: Mailbox) => suppressed.has(address);
  const skipped = [...cc, ...bcc].filter(isHit).map(({ address }) => address);
  if (skipped.length === 0) return { content, skipped };
  const extras = {
    ...content.extras,
    cc: cc.filter((mailbox) => !isHit(mailbox)),
    bcc: bcc.filter((mailbox) => !isHit(mailbox)),
  };
  return { content: { ...content, extras }, skipped: [...new Set(skipped)] };
}

/** Returns the template of a send. Throws not_found if the project has none with that id. */
export function requireTemplate(template: MailTemplate | undefined): MailTemplate {
  if (!template) throw notFound("template");
  return template;
}

function requireMailable(subscriber: SubscriberRow | undefined, toPending: boolean): SubscriberRow {
  if (!subscriber) throw notFound("subscriber");
  const { status } = subscriber;
  if (status !== "active" && !(toPending && status === "pending"))
    throw new AppError("suppressed", `the subscriber is ${status}, not active`);
  return subscriber;
}
