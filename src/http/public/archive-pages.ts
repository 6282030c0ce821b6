/* The pages of an archive. Hono's `html` escapes every inserted value. */
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { cutText } from "../../lib/cut-text.ts";
import type { Language } from "../../lib/languages.ts";
import { brandStyle } from "../../lib/page-style.ts";
import { escapeHtml } from "../../mail/html/entities.ts";
import { firstImage } from "../../mail/html/first-image.ts";
import { applyEdits } from "../../mail/html/rewrite-links.ts";
import { readHtml } from "../../mail/html/to-text.ts";
import { fillWords, wordsOf } from "../../mail/words/index.ts";
import type { ArchivedBroadcast, ArchivedMail } from "../../services/mailing/index.ts";
import { mailPage } from "./mail-page.ts";
import { logoOf, type PageSender } from "./page-brand.ts";
import { page, type Page } from "./page-shell.ts";

/** What all pages of an archive share. */
export interface ArchiveLook {
  sender: PageSender;
  language: Language;
  /** The URL of the archive. */
  url: string;
  publicFor: string;
}

/** A page of the list. */
export interface ArchiveList {
  broadcasts: ArchivedBroadcast[];
  hasMore: boolean;
  /** The form by which a reader can sign up, if any. */
  formId: string | undefined;
  /** Counts from 1. */
  number: number;
  search: string;
}

const STYLE = `.find { display: flex; flex-wrap: wrap; gap: 8px; }
.find label { flex: 1 1 200px; padding: 0; }
input[type="search"] { width: 100%; min-height: 48px; padding: 10px 12px; font: inherit; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: 8px; }
.mails { list-style: none; margin: 24px 0 0; padding: 0; }
.mails li { margin: 0; padding: 14px 0; border-top: 1px solid var(--line); }
.mails small { display: block; color: var(--soft); font-size: 15px; }
.pages { display: flex; flex-wrap: wrap; gap: 8px 24px; margin: 24px 0 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }`;
/** The complete element: the hash covers exactly these bytes. */
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`);
const STYLE_HASH = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

const titleOf = ({ sender, language }: ArchiveLook) =>
  fillWords(wordsOf(language).archive.title, { project: sender.name });

/** Returns the list of an archive. */
export function archivePage(look: ArchiveLook, list: ArchiveList): Page {
  const { language, url, sender, publicFor } = look;
  const { archive: words, form } = wordsOf(language);
  const { broadcasts, hasMore, number, search, formId } = list;
  const title = titleOf(look);
  const at = (n: number) => {
    const query = new URLSearchParams({
      ...(search === "" ? {} : { q: search }),
      ...(n === 1 ? {} : { page: String(n) }),
    }).toString();
    return query === "" ? url : `${url}?${query}`;
  };
  const none = search === "" ? words.none : fillWords(words.noneFound, { text: search });
  const content = html`${
      formId === undefined ? "" : html`<p><a href="/f/${formId}">${form.button}</a></p>`
    }
    <form method="get" action="${url}" class="find" role="search">
      <label
        ><span class="unseen">${words.search}</span
        ><input
          type="search"
          name="q"
          value="${search}"
          placeholder="${words.search}"
          maxlength="${SEARCH_MAX}"
      /></label>
      <button class="quiet">${words.find}</button>
    </form>
    ${
      broadcasts.length === 0
        ? html`<p class="mails">${none}</p>`
        : html`<ul class="mails">
            ${broadcasts.map((one) => entry(look, one))}
          </ul>`
    }
    <nav class="pages">
      ${number > 1 ? html`<a rel="prev" href="${at(number - 1)}">${words.newer}</a>` : ""}
      ${hasMore ? html`<a rel="next" href="${at(number + 1)}">${words.older}</a>` : ""}
      <a href="${url}/feed.xml">${words.feed}</a>
    </nav>`;
  const robots = search === "" ? "" : html`<meta name="robots" content="noindex" />`;
  const head = html`${robots} <link rel="canonical" href="${at(number)}" />
    <link rel="alternate" type="application/atom+xml" title="${title}" href="${url}/feed.xml" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:url" content="${at(number)}" />
    ${STYLE_ELEMENT}`;
  const policy = { "style-src": STYLE_HASH };
  return page(title, content, { language, sender, isWide: true, publicFor, head, policy });
}

/** The longest search, in characters. */
export const SEARCH_MAX = 100;

function entry({ url, language }: ArchiveLook, one: ArchivedBroadcast) {
  const day = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  const at = new Date(one.sentAt);
  return html`<li>
    <a href="${url}/${one.id}">${one.subject || "…"}</a>
    ${one.previewText === "" ? "" : html`<small>${one.previewText}</small>`}
    <small><time datetime="${at.toISOString()}">${day.format(at)}</time> · ${one.topic}</small>
  </li>`;
}

const DESCRIPTION_MAX = 200;

const BAR = ".postrider-archive";

/** Styles of links that lead nowhere without a reader, and of the link to the archive. */
const MAIL_STYLE = `a[href=""]{display:none!important}${BAR}{all:initial;--card:#fff;--act:#1f5fbf;--link:var(--act);--text-font:system-ui,sans-serif;display:block;padding:12px 16px;background:var(--card);border-bottom:2px solid var(--act);font:16px/1.5 var(--text-font)}${BAR} a{color:var(--link)}@media(prefers-color-scheme:dark){${BAR}{--card:#161b22;--act:#6cb0ff}}`;

/** Returns the document of a broadcast: its mail below a link to the archive. */
export function archivedMailPage(
  look: ArchiveLook,
  id: string,
  { mail, sentAt }: Pick<ArchivedMail, "mail" | "sentAt">,
): string {
  const { language, url, sender } = look;
  const subject = mail.subject.trim() || titleOf(look);
  const read = readHtml(mail.html);
  const text = (mail.previewText || read.text || mail.text).replaceAll(/\s+/g, " ").trim();
  const description = cutText(text, DESCRIPTION_MAX);
  const image = firstImage(mail.html) ?? httpsLogo(sender);
  const tags = [
    ["og:type", "article"],
    ["og:title", subject],
    ["og:url", `${url}/${id}`],
    ["og:site_name", sender.name],
    ["og:description", description],
    ["og:image", image ?? ""],
    ["article:published_time", new Date(sentAt).toISOString()],
  ].filter(([, content]) => content !== "");
  const head = [
    `<meta name="description" content="${escapeHtml(description)}">`,
    `<link rel="canonical" href="${escapeHtml(`${url}/${id}`)}">`,
    ...tags.map(
      ([name = "", content = ""]) => `<meta property="${name}" content="${escapeHtml(content)}">`,
    ),
    `<style>${MAIL_STYLE}${brandStyle(sender.brand, BAR)}</style>`,
  ].join("");
  const bar = `<nav class="postrider-archive"><a href="${escapeHtml(url)}">${escapeHtml(wordsOf(language).archive.all)} · ${escapeHtml(sender.name)}</a></nav>`;
  const start = { start: read.bodyStart, end: read.bodyStart, text: bar };
  const shown = mail.html.trim() === "" ? "" : applyEdits(mail.html, [start]);
  return mailPage({ ...mail, subject, html: shown }, language, head, bar);
}

function httpsLogo({ brand }: PageSender): string | undefined {
  const { logoUrl = "" } = brand;
  return logoOf(brand)?.origin.startsWith("https:") ? logoUrl : undefined;
}
