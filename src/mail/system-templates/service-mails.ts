/*
 * Service emails. Projects cannot use them by name, because their links grant access. Tracking
 * leaves those links alone, and their URLs are written out.
 */
import { brandAfter, button, eitherLines, heading, note, paragraph, type Names } from "./blocks.ts";
import { htmlLayout, textLayout, transactionalReason } from "./layout.ts";

/** A service email: full Handlebars, as in a system template. */
export interface ServiceTemplate {
  subject: string;
  htmlBody: string;
  textBody: string;
}

const LINK: Names = ["link"];

interface Words {
  title: string;
  /** Paragraphs before the link. */
  before: string[];
  label: string;
  /** Small print after the link. */
  after: string[];
  cause: string;
}

function serviceTemplate({ title, before, label, after, cause }: Words): ServiceTemplate {
  const parts = {
    title,
    preheader: before[0] ?? title,
    html: [
      heading(title),
      ...before.map(paragraph),
      button(LINK, label, "withAddress"),
      ...after.map(note),
    ].join("\n"),
    text: [...before, eitherLines(LINK, (link) => `${label}:\n${link}`).trim(), ...after].join(
      "\n\n",
    ),
    reason: transactionalReason(cause),
  };
  return { subject: title, htmlBody: htmlLayout(parts), textBody: textLayout(parts) };
}

const IGNORE =
  "If you did not expect this, you can ignore this email: nothing happens without the link.";

/** Variables: `workspace`, `inviter`, `role`, `link`, `product_name`. */
export const INVITATION = serviceTemplate({
  title: `You are invited${brandAfter("to")}`, // workspace names are untrusted
  before: [
    `{{#if inviter}}{{inviter}} has invited you{{else}}You have been invited{{/if}} to join {{#if workspace}}the workspace {{workspace}}{{else}}a workspace{{/if}}${brandAfter("at")} with the role {{role}}.`,
  ],
  label: "Accept invitation",
  after: ["The link is valid for 7 days.", IGNORE],
  cause: "someone invited this address",
});

/** Variables: `link`, `product_name`. */
export const PASSWORD_RESET = serviceTemplate({
  title: "Choose a new password",
  before: [
    `Someone requested a new password for the account with this address${brandAfter("at")}.`,
  ],
  label: "Choose a new password",
  after: ["The link is valid for one hour and works once.", IGNORE],
  cause: "a new password was requested for this address",
});

/** Variables: `link`, `product_name`; `change` for a new address of an account. */
export const ADDRESS_CONFIRMATION = serviceTemplate({
  title: "Confirm your email address",
  before: [
    `{{#if change}}Please confirm that your account${brandAfter("at")} gets this address. Sign in with your former address until then.{{else}}Please confirm that the account with this address${brandAfter("at")} is yours.{{/if}}`,
  ],
  label: "Confirm email address",
  after: ["The link is valid for 3 days.", IGNORE],
  cause:
    "{{#if change}}someone wants this address for an account{{else}}an account was created with this address{{/if}}",
});

/** Variables: `title`, `project`, `text`, `product_name`. */
export const OWNER_NOTICE = serviceTemplate({
  title: "{{title}}",
  before: ["{{#if project}}Project {{project}}: {{/if}}{{title}}.", "{{text}}"],
  label: "",
  after: ["You get at most one email per day about the same cause."],
  cause: "you own a workspace",
});
