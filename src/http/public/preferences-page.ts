/* The preference page. Hono's `html` escapes every inserted value. */
import { html } from "hono/html";
import type { Reader } from "../../services/preferences/index.ts";
import { page, type Html, type Page } from "./page-shell.ts";
import type { ReaderWords } from "./reader-words.ts";

/** Form fields: the action, the topics that the page showed, and the selected ones. */
export const FIELDS = { action: "do", shown: "topic", chosen: "on", isUndo: "undo", leftAt: "at" };
export const ACTIONS = ["save", "leave", "return", "undo", "confirm", "data"] as const;
export type Action = (typeof ACTIONS)[number];

/** The result of the last button, and how to undo it. */
export interface Notice {
  text: string;
  /** The topics selected before. */
  before?: string[] | undefined;
}

const hidden = (name: string, value: string) =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

const doing = (action: Action) => hidden(FIELDS.action, action);

export function preferencesPage(
  reader: Reader,
  readerWords: ReaderWords,
  notice: Notice | undefined,
): Page {
  const { words, look, say } = readerWords;
  const { preferences } = words;
  return page(
    say(preferences.title),
    html`${notice ? showNotice(reader, readerWords, notice) : ""}
    ${reader.hasAddress ? "" : html`<p>${preferences.otherAddress}</p>`}
    ${choices(reader, readerWords)} ${reader.hasAddress ? dataForm(readerWords) : ""}`,
    look,
  );
}

/** A link to an earlier address cannot subscribe anyone, so it offers no undo. */
function showNotice(reader: Reader, { words }: ReaderWords, { text, before }: Notice): Html {
  const { choices, hasAddress } = reader;
  return html`<div class="notice" role="status">
    <p>${text}</p>
    ${
      before === undefined || !hasAddress
        ? ""
        : html`<form method="post">
            ${doing("save")} ${hidden(FIELDS.isUndo, "1")}
            ${choices.map(({ topicId }) => hidden(FIELDS.shown, topicId))}
            ${before.map((topicId) => hidden(FIELDS.chosen, topicId))}
            <button class="quiet">${words.preferences.undo}</button>
          </form>`
    }
  </div>`;
}

function choices(reader: Reader, readerWords: ReaderWords): Html {
  switch (reader.subscriber.status) {
    case "unsubscribed":
      return returnForms(reader, readerWords);
    case "pending":
      return html`${pendingForm(reader, readerWords)} ${leaveForm(readerWords)}`;
    case "active":
      return html`${topicForm(reader, readerWords)} ${leaveForm(readerWords)}`;
  }
}

function topicForm({ choices }: Reader, { words: { preferences }, say }: ReaderWords): Html {
  if (choices.length === 0) return html`<p>${preferences.noTopics}</p>`;
  return html`<p>${say(preferences.intro)}</p>
    <form method="post">
      ${doing("save")}
      <fieldset>
        <legend>${preferences.topics}</legend>
        ${choices.map(
          ({ topicId, name, description, state }) =>
            html`${hidden(FIELDS.shown, topicId)}
              <label
                ><input
                  type="checkbox"
                  name="${FIELDS.chosen}"
                  value="${topicId}"
                  ${state === "subscribed" ? "checked" : ""}
                /><span
                  >${name}${description === "" ? "" : html`<small>${description}</small>`}</span
                ></label
              >`,
        )}
      </fieldset>
      <button>${preferences.save}</button>
    </form>`;
}

const leaveForm = ({ words: { preferences } }: ReaderWords): Html =>
  html`<h2>${preferences.everything}</h2>
    <form method="post">
      <p>${preferences.everythingHint}</p>
      ${doing("leave")}
      <button class="quiet">${preferences.leave}</button>
    </form>`;

/**
 * Mails are forwarded, so the page shows no personal data: only the mailbox receives the link to
 * it.
 */
const dataForm = ({ words: { data }, say }: ReaderWords): Html =>
  html`<h2>${data.title}</h2>
    <form method="post">
      <p>${say(data.hint)}</p>
      ${doing("data")}
      <button class="quiet">${data.button}</button>
    </form>`;

function pendingForm({ hasAddress }: Reader, { words: { preferences }, say }: ReaderWords): Html {
  if (!hasAddress) return html``;
  return html`<p>${say(preferences.isPending)}</p>
    <form method="post">${doing("confirm")}<button>${preferences.sendAgain}</button></form>`;
}

function returnForms(reader: Reader, { words: { preferences }, say }: ReaderWords): Html {
  const { hasAddress, undoableAt } = reader;
  const isLeft = html`<p>${say(preferences.isLeft)}</p>`;
  if (!hasAddress) return isLeft;
  if (undoableAt !== undefined)
    return html`${isLeft}
      <form method="post">
        ${doing("undo")} ${hidden(FIELDS.leftAt, String(undoableAt))}
        <button class="quiet">${preferences.undo}</button>
      </form>`;
  return html`${isLeft}
    <form method="post">${doing("return")}<button>${preferences.comeBack}</button></form>`;
}
