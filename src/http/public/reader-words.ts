import { html } from "hono/html";
import { LANGUAGES, type Language } from "../../lib/languages.ts";
import { fillWords, wordsOf, type Words } from "../../mail/words/index.ts";
import type { Reader } from "../../services/preferences/index.ts";
import type { askForConfirmation } from "../../services/subscribers/index.ts";
import type { HttpContext } from "../http-env.ts";
import { page, type Html } from "./page-shell.ts";

/** The words for one reader, with the names put in. */
export interface ReaderWords {
  words: Words;
  language: Language;
  /** Puts the names of project and reader into a text. */
  say: (text: string, more?: Record<string, string>) => string;
}

/** Returns the words of a reader's pages. They show the address only to its own reader. */
export function readerWords({
  projectName,
  settings,
  subscriber,
  hasAddress,
}: Reader): ReaderWords {
  const { language } = settings;
  const names = { project: projectName, email: hasAddress ? subscriber.email : "…" };
  const say = (text: string, more = {}) => fillWords(text, { ...names, ...more });
  return { words: wordsOf(language), language, say };
}

/** Returns the words on the mail of a confirmation; undefined if there is none. */
export function askedText(
  { preferences }: Words,
  asked: Awaited<ReturnType<typeof askForConfirmation>>,
): string | undefined {
  if (asked === "not_pending") return undefined;
  return asked === "asked" ? preferences.mailSent : preferences.mailSentBefore;
}

/** Returns the first language of the browser that there are words for. */
function languageOf(c: HttpContext): Language {
  const wanted = (c.req.header("Accept-Language") ?? "").toLowerCase().split(",");
  const known = wanted.map((one) => LANGUAGES.find((name) => one.trim().startsWith(name)));
  return known.find((name) => name !== undefined) ?? "en";
}

/** Returns the page of a link that leads to nobody; it is the same for every fault of a link. */
export function unknownReaderPage(c: HttpContext): Html {
  const language = languageOf(c);
  const { faults } = wordsOf(language);
  return page(faults.unknownLink, html`<p>${faults.unknownLinkHint}</p>`, language);
}

/** Returns the page of a link to stored data that has expired. */
export function expiredDataPage(c: HttpContext): Html {
  const language = languageOf(c);
  const { confirm, data } = wordsOf(language);
  return page(confirm.expired, html`<p>${data.expiredHint}</p>`, language);
}

/** Returns the page of a fault on our side, and of forms that these pages did not make. */
export function failedReaderPage(c: HttpContext): Html {
  const language = languageOf(c);
  const { faults } = wordsOf(language);
  return page(faults.failed, html`<p>${faults.failedHint}</p>`, language);
}
