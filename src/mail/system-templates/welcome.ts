import {
  brandAfter,
  button,
  either,
  eitherLines,
  BRAND,
  GREETING,
  heading,
  optional,
  paragraph,
  urlNames,
  urlVariables,
} from "./blocks.ts";
import { htmlLayout, SHARED_VARIABLES, textLayout } from "./layout.ts";
import type { SystemTemplate } from "./system-template.ts";

const ACTION_URL = urlNames("action");

const title = `Welcome${brandAfter("to")}`;
const thanks = "Thank you for signing up. It is good to have you with us.";
const next = `From now on you will hear from ${either(BRAND, (tag) => tag, "us")} at this address when there is something new.`;
const label = "{{#if action_label}}{{action_label}}{{else}}Get started{{/if}}";

const parts = {
  title,
  preheader: thanks,
  html: [
    heading(title),
    paragraph(GREETING),
    paragraph(thanks),
    paragraph(next),
    button(ACTION_URL, label, "alone"),
  ].join("\n"),
  text: `${GREETING}

${thanks}

${next}
${eitherLines(ACTION_URL, (url) => `\n${label}:\n${url}`)}
`,
  reason: `You received this email because {{#if email}}{{email}}{{else}}this address{{/if}} was signed up${brandAfter("for")}.`,
};

/**
 * Greets a new subscriber. Does not use `metadata`, which anyone with a public key can write, so a
 * stranger could inject text into a project's mail.
 */
export const WELCOME: SystemTemplate = {
  name: "welcome",
  subject: title,
  htmlBody: htmlLayout(parts),
  textBody: textLayout(parts),
  variables: [
    optional("name", "the recipient's name; automatic in emails to subscribers"),
    optional("email", "the recipient's address; automatic in emails to subscribers"),
    ...urlVariables("action", "target of the button; no button without it"),
    optional("action_label", "text of the button, `Get started` by default"),
    ...SHARED_VARIABLES,
  ],
};
