import type { AuthAction } from "../../lib/auth-actions.ts";
import type { Language } from "../../lib/languages.ts";
import { fillWords, wordsOf } from "../words/index.ts";
import { heading, note, panel, panelRow, paragraph } from "./blocks.ts";
import { FOOT, HEAD } from "./layout.ts";
import { look, STYLE_SHEET } from "./looks.ts";
import type { ServiceTemplate } from "./service-mails.ts";

/** Built-in mails to subscribers whose links grant access, with their link variables. */
const LINKS = { confirmation: "{{confirm_url}}", data: "{{data_url}}" };
export type LinkMail = keyof typeof LINKS;

/** Returns such a mail in a language. Variables: its link, and `product_name`. */
export function linkMail(kind: LinkMail, language: Language): ServiceTemplate {
  const { mails } = wordsOf(language);
  const mail = mails[kind];
  const link = LINKS[kind];
  const filled = (text: string) => fillWords(text, { project: "{{product_name}}" });
  const [subject, intro] = [filled(mail.subject), filled(mail.intro)];
  const content = [
    heading(subject),
    paragraph(intro),
    linkButton(link, mail.button, mails.copyLink),
    note(mail.expiry),
    note(mail.ignore),
  ];
  const textBody = [intro, `${mail.button}:\n${link}`, mail.expiry, mail.ignore].join("\n\n");
  return { subject, htmlBody: cardOf(subject, language, content), textBody };
}

/** Returns a button with its link written out below. */
const linkButton = (link: string, label: string, copyLink: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:12px 0 16px;"><tr><td ${look("button")}><a href="${link}" ${look("buttonLink")}>${label}</a></td></tr></table>
${note(`${copyLink}<br><a href="${link}" ${look("link")}>${link}</a>`)}`;

/** Returns the document of a mail that is one card. */
const cardOf = (subject: string, language: Language, content: string[]) => `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>
${STYLE_SHEET}
</style>
</head>
<body ${look("page")}>
<div role="article" lang="${language}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${look("page")}><tr><td align="center" style="padding:32px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;text-align:left;">
${HEAD}
<tr><td ${look("card")}>
${content.join("\n")}
</td></tr>
${FOOT}
</table>
</td></tr></table>
</div>
</body>
</html>
`;

/**
 * Returns the mail of an authentication service in a language: a link, a code, or both. Variables:
 * `confirmation_url`, `token`, `new_email`, `product_name`. It shows nothing else that a person
 * chose, because strangers can cause such mails.
 */
export function authMail(action: AuthAction, language: Language): ServiceTemplate {
  const { auth, copyLink } = wordsOf(language).mails;
  const filled = (text: string) =>
    fillWords(text, { project: "{{product_name}}", new: "{{new_email}}" });
  const [subject, intro] = [filled(auth[action].subject), filled(auth[action].intro)];
  const { button } = auth[action];
  const [link, code] = ["{{confirmation_url}}", "{{token}}"];
  const ifLink = (part: string) => (button === "" ? "" : `{{#if confirmation_url}}${part}{{/if}}`);
  const ifCode = (part: string) => `{{#if token}}${part}{{/if}}`;
  const content = [
    heading(subject),
    paragraph(intro),
    ifLink(linkButton(link, button, copyLink)),
    ifCode(ifLink(paragraph(auth.orCode)) + panel(panelRow(`<p ${look("code")}>${code}</p>`))),
    note(auth.once),
    note(auth.ignore),
  ];
  const textBody = [
    intro,
    ifLink(`${button}:\n${link}`),
    ifCode(`${ifLink(`${auth.orCode} `)}${code}`),
    auth.once,
    auth.ignore,
  ];
  return {
    subject,
    htmlBody: cardOf(subject, language, content),
    textBody: textBody.filter((part) => part !== "").join("\n\n"),
  };
}
