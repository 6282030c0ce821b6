import { html, type Html } from "./html.ts";
import type { MessageDetail, MessageSummary } from "./message-views.ts";

/** Views of a mail, in tab order. */
export const MESSAGE_VIEWS = ["html", "text", "headers"] as const;
export type MessageView = (typeof MESSAGE_VIEWS)[number];

const VIEW_TITLES: Record<MessageView, string> = { html: "HTML", text: "Text", headers: "Headers" };

/** Renders the list of mails, newest first; `received` counts every mail since the start. */
export function inboxPage(list: {
  messages: MessageSummary[];
  to: string;
  received: number;
  kept: number;
  smtpPort: number;
}): string {
  const { messages, to, received, kept, smtpPort } = list;
  const rows = html`<ul class="messages">
    ${messages.map(messageRow)}
  </ul>`;
  return page(
    "Inbox",
    html`<header class="bar">
        <h1><a href="/">Local mailbox</a></h1>
        <form role="search">
          <label class="hidden" for="to">Recipient</label>
          <input id="to" type="search" name="to" value="${to}" placeholder="Recipient contains…" />
          <button>Search</button>
        </form>
        <button id="clear" type="button" ${{ markup: kept === 0 ? "disabled" : "" }}>
          Delete all
        </button>
      </header>
      <main id="inbox" data-received="${received}" data-kept="${kept}">
        <p class="quiet" role="status">${countLine(messages.length, kept, received)}</p>
        ${messages.length > 0 ? rows : emptyState(to, smtpPort)}
      </main>
      <script src="/inbox.js" defer></script>`,
  );
}

/**
 * Renders one mail with its envelope, tabs for its parts, links to its source and attachments, and
 * buttons to send reports. `notice` is the result of one.
 */
export function messagePage(message: MessageDetail, view: MessageView, notice = ""): string {
  const base = `/messages/${message.id}`;
  const tabs = MESSAGE_VIEWS.map((name) => {
    const current: Html = { markup: name === view ? 'aria-current="page"' : "" };
    return html`<a href="${base}?view=${name}" ${current}>${VIEW_TITLES[name]}</a>`;
  });
  return page(
    subjectOf(message),
    html`<header class="bar"><a href="/">← Inbox</a></header>
      <main>
        <h1>${subjectOf(message)}</h1>
        <dl class="envelope">
          <dt>From</dt>
          <dd>${message.from}</dd>
          <dt>To</dt>
          <dd>${message.to.join(", ")}</dd>
          <dt>Received</dt>
          <dd>${timeOf(message)}, ${formatSize(message.size_bytes)}</dd>
          ${attachmentList(message)}
        </dl>
        ${reportActions(message)}
        <p role="status">${notice}</p>
        <nav class="tabs" aria-label="Parts of the email">
          ${tabs} <a href="${base}/source">Source</a>
        </nav>
        ${messageBody(message, view)}
      </main>`,
  );
}

/** Renders a not-found page with a link back. */
export function missingPage(what: string): string {
  return page(
    "Not found",
    html`<header class="bar"><a href="/">← Inbox</a></header>
      <main>
        <h1>Not found</h1>
        <p>${what}</p>
      </main>`,
  );
}

/** Renders the report buttons of a mail; none for a mail without an envelope sender. */
function reportActions({ id, envelope_from }: MessageDetail): Html | Html[] {
  if (envelope_from === "") return [];
  return html`<form class="actions" method="post">
    <button formaction="/messages/${id}/bounce">Bounce this email</button>
    <button formaction="/messages/${id}/complaint">Report as spam</button>
    <span class="quiet">to ${envelope_from}, through the service's email() handler</span>
  </form>`;
}

function messageBody(message: MessageDetail, view: MessageView): Html {
  if (view === "text") return textBody(message.text, "This email has no text part.");
  if (view === "headers") {
    const lines = message.headers.map(({ name, value }) => `${name}: ${value}`);
    return textBody(lines.join("\n"), "This email has no headers.");
  }
  if (!message.html) return html`<p class="quiet">This email has no HTML part.</p>`;
  // Without allow-scripts and allow-same-origin, the mail can only display itself and open links.
  return html`<iframe
    title="The email as HTML"
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    src="/messages/${message.id}/html"
  ></iframe>`;
}

function textBody(text: string, otherwise: string): Html {
  return text ? html`<pre>${text}</pre>` : html`<p class="quiet">${otherwise}</p>`;
}

function attachmentList({ id, attachments }: MessageDetail): Html | Html[] {
  if (attachments.length === 0) return [];
  const links = attachments.map(
    (attachment, index) =>
      html`<a href="/messages/${id}/attachments/${index}">${attachment.filename}</a> (${formatSize(
          attachment.size_bytes,
        )}) `,
  );
  return html`<dt>Attachments</dt>
    <dd>${links}</dd>`;
}

function messageRow(message: MessageSummary): Html {
  return html`<li>
    <a href="/messages/${message.id}">
      <span class="subject">${subjectOf(message)}</span>
      <span class="people">${message.from} → ${message.to.join(", ")}</span>
      ${timeOf(message)}
    </a>
  </li>`;
}

function emptyState(to: string, smtpPort: number): Html {
  if (to) return html`<p class="empty">No emails to a recipient that contains “${to}”.</p>`;
  return html`<div class="empty">
    <h2>No emails yet</h2>
    <p>
      Everything the local service sends arrives here and nowhere else. Run the
      <code>curl</code> command that <code>npm start</code> printed; this page updates by itself.
    </p>
    <p>
      Any other program can send here too: SMTP on <code>127.0.0.1:${smtpPort}</code>, no TLS, any
      username and password.
    </p>
  </div>`;
}

function countLine(shown: number, kept: number, received: number): string {
  const arrived = `${received} ${received === 1 ? "email" : "emails"} received`;
  return shown === received ? arrived : `${arrived}, ${kept} kept, ${shown} shown`;
}

const subjectOf = ({ subject }: MessageSummary) => subject || "(no subject)";

function timeOf({ received_at }: MessageSummary): Html {
  const local = new Date(received_at).toLocaleString("en-US", {
    dateStyle: "medium",
    timeStyle: "medium",
  });
  return html`<time datetime="${received_at}">${local}</time>`;
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – Postrider local mailbox</title>
        <link rel="stylesheet" href="/inbox.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        ${body}
      </body>
    </html> `.markup;
}
