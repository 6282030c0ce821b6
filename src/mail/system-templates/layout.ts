/**
 * Shared parts of all system templates: the document, the sender's name or logo above a card, and
 * the footer. The layout uses tables and inline styles and loads nothing but the logo. It is fluid
 * up to 600 pixels wide, with a table of that width for Outlook, which ignores `max-width`.
 *
 * Variables occur only in text and in quoted `href`, `src` and `alt` values, where HTML escaping is
 * sufficient. The caller chooses the scheme of a link; mail clients do not follow `javascript:`.
 */
import { hiddenPreview } from "../html/hidden-preview.ts";
import { escapeHtml } from "../html/entities.ts";
import { isUnset, LOGO_WIDTH, type Brand } from "../../lib/brand.ts";
import type { Language } from "../../lib/languages.ts";
import { fillWords, wordsOf } from "../words/index.ts";
import {
  BRAND,
  brandAfter,
  either,
  eitherLines,
  optional,
  urlNames,
  urlVariables,
} from "./blocks.ts";
import { inLookOf, look, STYLE_SHEET } from "./looks.ts";
import type { TemplateVariable } from "./system-template.ts";

/** Variable parts of a mail, all Handlebars source; both the HTML and the text part use `title`. */
export interface Parts {
  title: string;
  /** Preview text shown after the subject in mail lists. */
  preheader: string;
  html: string;
  text: string;
  /** Why the recipient gets this mail, for the footer. */
  reason: string;
  /** The language of the parts, and of the rest of the footer; `en` by default. */
  language?: Language;
}

const UNSUBSCRIBE = urlNames("unsubscribe");

export const SHARED_VARIABLES: readonly TemplateVariable[] = [
  optional("product_name", "name of the product or sender: header, subject and footer"),
  optional("company_name", "the same as product_name"),
  optional("logo_url", "image in the header instead of the name, 32 px high"),
  optional("support_email", "address for questions, in the footer"),
  optional("company_address", "postal address of the sender, in the footer"),
  ...urlVariables("unsubscribe", "link in the footer; automatic in emails to subscribers"),
];

/** Returns the complete HTML document. */
export function htmlLayout({ title, preheader, html, reason, language = "en" }: Parts): string {
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${title}</title>
<style>
${STYLE_SHEET}
</style>
</head>
<body ${look("page")}>
${hiddenPreview(preheader)}
<div role="article" aria-roledescription="email" lang="${language}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${look("page")}><tr><td align="center" style="padding:32px 12px;">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;text-align:left;">
${HEADER}
<tr><td ${look("card")}>
${html}
</td></tr>
<tr><td ${look("edge", "padding-top:24px;")}>
${footer(reason, language)}
</td></tr>
${FOOT}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`;
}

const brand = either(BRAND, (tag) => tag);
const headerRow = (content: string) =>
  `<tr><td ${look("edge", "padding-bottom:20px;")}>${content}</td></tr>`;
const logo = `<img src="{{logo_url}}" alt="${brand}" height="32" ${look("brand", "display:block;height:32px;max-width:100%;object-fit:contain;object-position:left;border:0;")}>`;
const named = either(BRAND, (tag) => headerRow(`<p ${look("brand", "margin:0;")}>${tag}</p>`));
const headerOf = (otherwise: string) =>
  `{{#if logo_url}}${headerRow(logo)}{{else}}${otherwise}{{/if}}`;
const HEADER = headerOf(named);

/** The places of a brand's logo and footer where a mail has none; they render as nothing. */
export const HEAD = "{{!head}}";
export const FOOT = "{{!foot}}";

/** Returns a mail with the logo, the footer and the look of a brand. */
export function branded<Mail extends { htmlBody: string; textBody: string }>(
  mail: Mail,
  brand: Brand,
): Mail {
  if (isUnset(brand)) return mail;
  const { logoUrl, logoAlt = "", logoWidth = LOGO_WIDTH, postalAddress, social = [] } = brand;
  const own = `<img src="${safe(logoUrl ?? "")}" alt="${safe(logoAlt)}" width="${logoWidth}" ${look("brand", `display:block;width:${logoWidth}px;max-width:100%;height:auto;border:0;`)}>`;
  const header = headerOf(logoUrl === undefined ? named : headerRow(own));
  const links = social.map(
    ({ label, url }) => `<a href="${safe(url)}" ${look("quietLink")}>${safe(label)}</a>`,
  );
  const rows = [
    links.length === 0 ? "" : `<p ${look("footer")}>${links.join(" &nbsp;·&nbsp; ")}</p>`,
    postalAddress === undefined
      ? ""
      : `{{#unless company_address}}<p ${look("footer")}>${safe(postalAddress)}</p>{{/unless}}`,
  ].join("");
  const foot = rows === "" ? "" : `<tr><td ${look("edge", "padding-top:16px;")}>${rows}</td></tr>`;
  const html = mail.htmlBody
    .replace(HEADER, () => header)
    .replace(HEAD, () => header)
    .replace(FOOT, () => foot);
  const text = [
    mail.textBody.trimEnd(),
    social.map(({ label, url }) => `${label}: ${url}`).join("\n"),
    postalAddress === undefined ? "" : `{{#unless company_address}}${postalAddress}{{/unless}}`,
  ].filter((part) => part !== "");
  return { ...mail, htmlBody: inLookOf(brand, html), textBody: `${text.join("\n\n")}\n` };
}

/** Escapes a text for HTML within the source of a template. */
const safe = (text: string) => escapeHtml(text).replaceAll("{", "&#123;").replaceAll("\\", "&#92;");

function footer(reason: string, language: Language): string {
  const { questions, unsubscribe } = wordsOf(language).mails.welcome;
  const line = (content: string) => `<p ${look("footer")}>${content}</p>`;
  const quietLink = (href: string, label: string) =>
    `<a href="${href}" ${look("quietLink")}>${label}</a>`;
  return [
    line(reason),
    `{{#if support_email}}${line(fillWords(questions, { email: quietLink("mailto:{{support_email}}", "{{support_email}}") }))}{{/if}}`,
    `{{#if company_address}}${line(`${either(BRAND, (tag) => `${tag}, `)}{{company_address}}`)}{{/if}}`,
    either(UNSUBSCRIBE, (url) => line(quietLink(url, unsubscribe))),
  ].join("\n");
}

/** Returns the complete text part: the same wording, with every link written out. */
export function textLayout({ title, text, reason, language = "en" }: Parts): string {
  const { questions, unsubscribe } = wordsOf(language).mails.welcome;
  return `${title}

${text.trim()}

--
${reason}
{{#if support_email}}
${fillWords(questions, { email: "{{support_email}}" })}
{{/if}}
{{#if company_address}}
${either(BRAND, (tag) => `${tag}, `)}{{company_address}}
{{/if}}
${eitherLines(UNSUBSCRIBE, (url) => `${unsubscribe}: ${url}`)}
`;
}

/** Returns the reason for a mail triggered by an action of its recipient. */
export function transactionalReason(cause: string): string {
  return `You received this email because ${cause}${brandAfter("at")}.`;
}
