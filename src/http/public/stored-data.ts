import { html } from "hono/html";
import { DAY_MS } from "../../lib/durations.ts";
import type { Reader } from "../../services/preferences/index.ts";
import type { PreferenceLink } from "../../services/tracking/index.ts";
import { timestamp } from "../answer-fields.ts";
import type { Html } from "./page-shell.ts";
import type { ReaderWords } from "./reader-words.ts";

/** The age up to which a link shows personal data: mails are forwarded, and boxes change hands. */
const SHOWING_MS = 90 * DAY_MS;

/** Tells whether a link may show what is stored about its reader. */
export const mayShowData = (now: number, link: PreferenceLink, { hasAddress }: Reader): boolean =>
  hasAddress && now - link.mailedAt < SHOWING_MS;

/** Returns a time as people of every language read it. */
const timeOf = (ms: number) => `${timestamp(ms).slice(0, 16).replace("T", " ")} UTC`;

/** Returns the part of the page that shows what is stored. */
export function storedSection(
  { words: { stored }, say }: ReaderWords,
  { subscriber, history }: Reader,
  path: string,
): Html {
  const { email, name, status, metadata, subscribedAt } = subscriber;
  const facts: [string, string][] = [
    [stored.email, email],
    [stored.name, name],
    [stored.status, stored.statuses[status]],
    [stored.since, timeOf(subscribedAt)],
    ...Object.entries(metadata).map(([key, value]): [string, string] => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ];
  return html`<h2>${stored.title}</h2>
    <p>${say(stored.intro)}</p>
    <details>
      <summary>${stored.details}</summary>
      <dl>
        ${facts
          .filter(([, value]) => value !== "")
          .map(
            ([key, value]) =>
              html`<dt>${key}</dt>
                <dd>${value}</dd>`,
          )}
      </dl>
    </details>
    ${
      history.length === 0
        ? ""
        : html`<details>
            <summary>${stored.history}</summary>
            <ul>
              ${history.map(
                ({ at, topicName, action, ipAddress }) =>
                  html`<li>
                    ${timeOf(at)}: ${topicName ?? stored.wholeList}, ${stored.actions[action]}
                    ${ipAddress === "" ? "" : `(${ipAddress})`}
                  </li>`,
              )}
            </ul>
          </details>`
    }
    <p><a href="${path}/data" download="data.json">${stored.download}</a></p>`;
}
