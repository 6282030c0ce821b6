import type { Language } from "../../lib/languages.ts";
import { fillWords, wordsOf } from "../words/index.ts";
import { heading, note, paragraph } from "./blocks.ts";
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
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:12px 0 16px;"><tr><td ${look("button")}><a href="${link}" ${look("buttonLink")}>${mail.button}</a></td></tr></table>`,
    note(`${mails.copyLink}<br><a href="${link}" ${look("link")}>${link}</a>`),
    note(mail.expiry),
    note(mail.ignore),
  ].join("\n");
  const htmlBody = `<!DOCTYPE html>
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
<tr><td ${look("card")}>
${content}
</td></tr>
</table>
</td></tr></table>
</div>
</body>
</html>
`;
  const textBody = [intro, `${mail.button}:\n${link}`, mail.expiry, mail.ignore].join("\n\n");
  return { subject, htmlBody, textBody };
}
