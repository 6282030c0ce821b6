import { html } from "hono/html";
import { LANGUAGES, type Language } from "../../lib/languages.ts";
import { fillWords, wordsOf, type Words } from "../../mail/words/index.ts";
import type { Reader } from "../../services/preferences/index.ts";
import type { askForConfirmation } from "../../services/subscribers/index.ts";
import type { HttpContext } from "../http-env.ts";
import { senderOf } from "./page-brand.ts";
import { page, type Page, type PageOptions } from "./page-shell.ts";

/** Texts for one reader, with names filled in. */
export interface ReaderWords {
  words: Words;
  /** The language and the sender of the pages. */
  look: PageOptions;
  /** Fills the names of the project and the reader into a text. */
  say: (text: string, more?: Record<string, string>) => string;
}

/** Returns the texts of a reader's pages. Only the address's own reader sees it. */
export function readerWords({
  project,
  projectName,
  settings,
  subscriber,
  hasAddress,
}: Reader): ReaderWords {
  const { language } = settings;
  const names = { project: projectName, email: hasAddress ? subscriber.email : "…" };
  const say = (text: string, more = {}) => fillWords(text, { ...names, ...more });
  return { words: wordsOf(language), look: { language, sender: senderOf(project) }, say };
}

/** Returns the text about the confirmation mail; undefined if none was sent. */
export function askedText(
  { preferences }: Words,
  asked: Awaited<ReturnType<typeof askForConfirmation>>,
): string | undefined {
  if (asked === "not_pending") return undefined;
  return asked === "asked" ? preferences.mailSent : preferences.mailSentBefore;
}

/** Returns the browser's first supported language. */
export function languageOf(c: HttpContext): Language {
  const wanted = (c.req.header("Accept-Language") ?? "").toLowerCase().split(",");
  const known = wanted.map((one) => LANGUAGES.find((name) => one.trim().startsWith(name)));
  return known.find((name) => name !== undefined) ?? "en";
}

/** Returns the page of an unknown link. It is the same for every reason, so it reveals nothing. */
export function unknownReaderPage(c: HttpContext): Page {
  const language = languageOf(c);
  const { faults } = wordsOf(language);
  return page(faults.unknownLink, html`<p>${faults.unknownLinkHint}</p>`, { language });
}

/** Returns the page of an expired link to stored data. */
export function expiredDataPage(c: HttpContext): Page {
  const language = languageOf(c);
  const { confirm, data } = wordsOf(language);
  return page(confirm.expired, html`<p>${data.expiredHint}</p>`, { language });
}

/** Returns the page of a link to a mail that has expired, or whose mail or reader is gone. */
export function goneMailPage(c: HttpContext): Page {
  const language = languageOf(c);
  const { view } = wordsOf(language);
  return page(view.gone, html`<p>${view.goneHint}</p>`, { language });
}

/** Returns the page of the link to a mail in a test or a preview. */
export function testMailPage(c: HttpContext): Page {
  const language = languageOf(c);
  const { view } = wordsOf(language);
  return page(view.test, html`<p>${view.testHint}</p>`, { language });
}

/** Returns the page of an archive, or of a broadcast in one, that does not exist. */
export function unknownArchivePage(c: HttpContext): Page {
  const language = languageOf(c);
  const { archive } = wordsOf(language);
  return page(archive.unknown, html`<p>${archive.unknownHint}</p>`, { language });
}

/** Returns the page for internal errors, and for forms that these pages did not create. */
export function failedReaderPage(c: HttpContext): Page {
  const language = languageOf(c);
  const { faults } = wordsOf(language);
  return page(faults.failed, html`<p>${faults.failedHint}</p>`, { language });
}
