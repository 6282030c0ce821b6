/* The markup of sign-up forms, on their page and where they are embedded. */
import { html, raw } from "hono/html";
import type { FormWords } from "../../../mail/words/index.ts";
import type { OpenForm } from "../../../services/forms/index.ts";
import { audienceSettingsOf } from "../../../services/projects/index.ts";
import { page, type Html, type Page } from "../page-shell.ts";
import { formWords, lookOf } from "./form-look.ts";
import { FIELDS, type Problems } from "./read-answer.ts";

type ShownField = OpenForm["fields"][number];

/** What a page shows besides the form itself. */
export interface Tried {
  posted: URLSearchParams;
  problems: Problems;
  notice: string;
}

const UNTRIED: Tried = { posted: new URLSearchParams(), problems: new Map(), notice: "" };

/** Returns the site key of the widget that the form needs; "" if it needs none. */
export function siteKeyOf({ project }: OpenForm): string {
  const { turnstileSecretSealed, turnstileSiteKey } = audienceSettingsOf(project);
  return turnstileSecretSealed === "" ? "" : turnstileSiteKey;
}

/**
 * Returns the page of a form. Only the dashboard may frame it, and only a page with Turnstile runs
 * a script. Browsers apply `form-action` to the redirect after a post, too. A preview sends nothing.
 */
export function formPage(open: OpenForm, tried: Tried = UNTRIED, isPreview = false): Page {
  const { title, text, redirectUrl } = open.form.content;
  const words = formWords(open);
  const look = lookOf(open);
  const siteKey = isPreview ? "" : siteKeyOf(open);
  const policy = {
    "frame-ancestors": "'self'",
    ...(isPreview ? { sandbox: "" } : {}),
    ...(redirectUrl === null ? {} : { "form-action": new URL(redirectUrl).origin }),
    ...(siteKey === "" ? {} : { "script-src": TURNSTILE, "frame-src": TURNSTILE }),
  };
  const { html: shown, headers } = page(
    title,
    html`${text === "" ? "" : html`<p class="lines">${text}</p>`}
      <form method="post" ${isPreview ? "inert" : ""}>
        ${tried.notice === "" ? "" : html`<p class="notice" role="alert">${tried.notice}</p>`}
        ${inputsOf(open, tried)}
        ${
          siteKey === ""
            ? ""
            : html`<div
                  class="cf-turnstile"
                  data-sitekey="${siteKey}"
                  data-language="${look.language}"
                ></div>
                <noscript><p>${words.needsScript}</p></noscript>`
        }
        ${buttonOf(open)}
      </form>
      ${siteKey === "" ? "" : WIDGET}`,
    { ...look, policy },
  );
  return { html: shown, headers: { ...headers, "X-Frame-Options": "SAMEORIGIN" } };
}

const TURNSTILE = "https://challenges.cloudflare.com";
const WIDGET = raw(`<script src="${TURNSTILE}/turnstile/v0/api.js" async defer></script>`);

export const buttonOf = (open: OpenForm): Html =>
  html`<button>${open.form.content.button || formWords(open).button}</button>`;

/** Returns the fields of a form with what was entered, and the text of the consent. */
export function inputsOf(open: OpenForm, tried: Tried = UNTRIED): Html {
  const { content } = open.form;
  const words = formWords(open);
  const inputs: Input[] = [
    { name: FIELDS.email, label: words.email, type: "email", required: true, fill: "email" },
  ];
  if (content.nameField !== "none")
    inputs.push({
      name: FIELDS.name,
      label: words.name,
      type: "text",
      required: content.nameField === "required",
      fill: "name",
    });
  return html`${inputs.map((input) => inputOf(input, words, tried))}
    ${open.fields.map((field) => fieldOf(field, words, tried))}
    ${
      content.chooseTopics && open.topics.length > 0
        ? boxes(
            { name: FIELDS.topics, label: words.topics, required: true },
            open.topics.map(({ id, name, description }) => ({ value: id, name, description })),
            words,
            tried,
          )
        : ""
    }
    <div class="trap" aria-hidden="true">
      <label
        >${words.leaveEmpty}<input name="${FIELDS.trap}" tabindex="-1" autocomplete="off"
      /></label>
    </div>
    ${open.consentText === "" ? "" : html`<p class="lines">${open.consentText}</p>`}`;
}

interface Labeled {
  name: string;
  label: string;
  required: boolean;
}

interface Input extends Labeled {
  type: "email" | "text" | "number" | "date" | "url";
  fill?: string;
}

const idOf = (name: string) => `field-${name}`;

function fieldOf({ field, required }: ShownField, words: FormWords, tried: Tried): Html {
  const { type, choices } = field;
  const name = FIELDS.of(field.key);
  const labeled = { name, label: field.label, required };
  if (type === "boolean") return checkBox(labeled, words, tried);
  if (type === "list" && choices.length > 0) {
    const options = choices.map((choice) => ({ value: choice, name: choice, description: "" }));
    return boxes(labeled, options, words, tried);
  }
  if (type === "choice" && choices.length > 0) return select(labeled, choices, words, tried);
  const plain = type === "choice" || type === "list" ? "text" : type;
  return inputOf({ ...labeled, type: plain }, words, tried);
}

const labelText = ({ label, required }: Labeled, { optional }: FormWords): Html =>
  html`${label}${required ? "" : html` <small class="optional">(${optional})</small>`}`;

/** The attributes of an input that point to its problem. */
const faultAttributes = ({ name, required }: Labeled, { problems }: Tried): Html =>
  html` aria-describedby="${idOf(name)}-fault"${required ? raw(" required") : ""}${
    problems.has(name) ? raw(' aria-invalid="true"') : ""
  }`;

function fault({ name }: Labeled, words: FormWords, { problems }: Tried): Html {
  const problem = problems.get(name);
  return html`<small class="fault" id="${idOf(name)}-fault" data-for="${name}"
    >${problem ? words[problem] : ""}</small
  >`;
}

const inputOf = (input: Input, words: FormWords, tried: Tried): Html =>
  html`<div class="field">
    <label for="${idOf(input.name)}">${labelText(input, words)}</label>
    <input
      id="${idOf(input.name)}"
      name="${input.name}"
      type="${input.type}"
      value="${tried.posted.get(input.name) ?? ""}"
      maxlength="254"
      ${input.type === "number" ? raw('step="any"') : ""}
      ${input.fill ? html`autocomplete="${input.fill}"` : ""}
      ${faultAttributes(input, tried)}
    />
    ${fault(input, words, tried)}
  </div>`;

const select = (
  labeled: Labeled,
  choices: readonly string[],
  words: FormWords,
  tried: Tried,
): Html =>
  html`<div class="field">
    <label for="${idOf(labeled.name)}">${labelText(labeled, words)}</label>
    <select id="${idOf(labeled.name)}" name="${labeled.name}" ${faultAttributes(labeled, tried)}>
      <option value=""></option>
      ${choices.map(
        (choice) =>
          html`<option
            value="${choice}"
            ${tried.posted.get(labeled.name) === choice ? raw("selected") : ""}
          >
            ${choice}
          </option>`,
      )}
    </select>
    ${fault(labeled, words, tried)}
  </div>`;

const checkBox = (labeled: Labeled, words: FormWords, tried: Tried): Html =>
  html`<label
      ><input
        type="checkbox"
        name="${labeled.name}"
        value="true"
        ${tried.posted.has(labeled.name) ? raw("checked") : ""}
        ${faultAttributes(labeled, tried)}
      /><span>${labelText(labeled, words)}</span></label
    >
    ${fault(labeled, words, tried)}`;

interface Option {
  value: string;
  name: string;
  description: string;
}

const boxes = (labeled: Labeled, options: Option[], words: FormWords, tried: Tried): Html =>
  html`<fieldset class="field" aria-describedby="${idOf(labeled.name)}-fault">
    <legend>${labelText(labeled, words)}</legend>
    ${options.map(
      ({ value, name, description }) =>
        html`<label
          ><input
            type="checkbox"
            name="${labeled.name}"
            value="${value}"
            ${tried.posted.getAll(labeled.name).includes(value) ? raw("checked") : ""}
          /><span
            >${name}${description === "" ? "" : html`<small>${description}</small>`}</span
          ></label
        >`,
    )}
    ${fault(labeled, words, tried)}
  </fieldset>`;

/** Returns the title and the text after a sign-up, which are the same for every address. */
export function doneWords(open: OpenForm): { title: string; text: string } {
  const { checkInbox, checkInboxHint, done, doneHint } = formWords(open);
  return open.asks ? { title: checkInbox, text: checkInboxHint } : { title: done, text: doneHint };
}

export function donePage(open: OpenForm): Page {
  const { title, text } = doneWords(open);
  return page(title, html`<p role="status">${text}</p>`, lookOf(open));
}
