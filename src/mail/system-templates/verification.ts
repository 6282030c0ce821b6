import {
  brandAfter,
  button,
  eitherLines,
  GREETING,
  heading,
  note,
  optional,
  panel,
  panelRow,
  paragraph,
  urlNames,
  urlVariables,
} from "./blocks.ts";
import { htmlLayout, SHARED_VARIABLES, textLayout, transactionalReason } from "./layout.ts";
import { look } from "./looks.ts";
import type { SystemTemplate } from "./system-template.ts";

const VERIFICATION_URL = urlNames("verification");

const title = "Confirm your email address";
const intro = `Before you continue${brandAfter("with")}, please confirm that this email address is yours.`;
const expiry = "Valid for {{expires_in}}.";
const ignore = "If you did not request this, you can ignore this email.";

const parts = {
  title,
  preheader: `${intro}{{#if expires_in}} ${expiry}{{/if}}`,
  html: [
    heading(title),
    paragraph(GREETING),
    paragraph(intro),
    `{{#if code}}${paragraph("Your confirmation code is:")}${panel(panelRow(`<p ${look("code")}>{{code}}</p>`))}{{/if}}`,
    button(VERIFICATION_URL, "Confirm email address", "withAddress"),
    `{{#if expires_in}}${note(expiry)}{{/if}}`,
    note(ignore),
  ].join("\n"),
  text: `${GREETING}

${intro}
{{#if code}}

Your confirmation code is: {{code}}
{{/if}}
${eitherLines(VERIFICATION_URL, (url) => `\nConfirm your email address:\n${url}`)}
{{#if expires_in}}

${expiry}
{{/if}}

${ignore}
`,
  reason: transactionalReason("someone entered this address"),
};

/** Asks the reader to confirm an address, by link, by code, or by either. */
export const VERIFICATION: SystemTemplate = {
  name: "verification",
  subject: `${title}${brandAfter("for")}`,
  htmlBody: htmlLayout(parts),
  textBody: textLayout(parts),
  variables: [
    ...urlVariables("verification", "link that confirms the address; pass this, code or both"),
    optional("code", "one-time code, shown large"),
    optional("expires_in", "how long the link and code are valid, in words: `30 minutes`"),
    optional("name", "the recipient's name; automatic in emails to subscribers"),
    ...SHARED_VARIABLES,
  ],
};
