// Serves the inbox over HTTP on loopback. The mails are untrusted: every value is escaped, their
// HTML lives in a sandboxed frame without scripts, and a foreign Host header is rejected, so that
// no web page can read mails through DNS rebinding. Cross-site requests cannot change anything.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isForeign } from "./foreign-request.ts";
import { handBack } from "./hand-back.ts";
import { parseMessage, type MessageStore, type StoredMessage } from "./message-store.ts";
import { attachmentBytes, describe, summarize } from "./message-views.ts";
import { quickstartPage, quickstartPolicy, type Quickstart } from "./quickstart-page.ts";
import { inboxPage, MESSAGE_VIEWS, messagePage, missingPage } from "./pages.ts";
import type { ReportKind } from "./returned-mail.ts";

const MAX_ROWS_SHOWN = 200;
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Content and port of the inbox. Mails may load images only from `imageOrigin`, and reports go to
 * the service at `serviceOrigin`.
 */
export interface WebInboxOptions {
  port: number;
  smtpPort: number;
  imageOrigin: string;
  serviceOrigin: string;
}

interface Answer {
  status?: number;
  type: string;
  body: string | Buffer;
  policy?: string;
  disposition?: string;
}

interface Request {
  url: URL;
  method: string;
  store: MessageStore;
  options: WebInboxOptions;
  quickstart: Quickstart | undefined;
}

type Route = (request: Request, params: string[]) => Answer | Promise<Answer>;
type MessageRoute = (
  message: StoredMessage,
  request: Request,
  params: string[],
) => Answer | Promise<Answer>;

const ROUTES: [method: string, path: RegExp, route: Route][] = [
  ["GET", /^\/$/, showInbox],
  ["GET", /^\/(inbox\.css|inbox\.js)$/, showAsset],
  ["GET", /^\/quickstart\.html$/, showQuickstart],
  ["GET", /^\/messages\/([\w-]+)$/, withMessage(showMessage)],
  ["POST", /^\/messages\/([\w-]+)\/bounce$/, withMessage(reportOnPage("bounce"))],
  ["POST", /^\/messages\/([\w-]+)\/complaint$/, withMessage(reportOnPage("complaint"))],
  ["GET", /^\/messages\/([\w-]+)\/html$/, withMessage(showMessageHtml)],
  ["GET", /^\/messages\/([\w-]+)\/source$/, withMessage(showSource)],
  ["GET", /^\/messages\/([\w-]+)\/attachments\/(\d+)$/, withMessage(showAttachment)],
  ["GET", /^\/api\/stats$/, ({ store }) => json(store.stats())],
  ["GET", /^\/api\/messages$/, listMessages],
  ["DELETE", /^\/api\/messages$/, clearMessages],
  ["GET", /^\/api\/messages\/([\w-]+)$/, withMessage(async (m) => json(await describe(m)))],
  ["POST", /^\/api\/messages\/([\w-]+)\/bounce$/, withMessage(reportMessage("bounce"))],
  ["POST", /^\/api\/messages\/([\w-]+)\/complaint$/, withMessage(reportMessage("complaint"))],
];

/** Starts the inbox on 127.0.0.1; rejects if the port is in use. */
export async function startWebInbox(store: MessageStore, options: WebInboxOptions) {
  let quickstart: Quickstart | undefined;
  // Idle connections never time out, so that a request cannot hit one that is closing.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer(request, { store, options, quickstart })
      .then((reply) => send(response, reply))
      .catch((error: unknown) => {
        process.stderr.write(`mailbox: ${String(error)}\n`);
        response.destroy();
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  return {
    showQuickstart: (given: Quickstart) => {
      quickstart = given;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(message: IncomingMessage, served: Omit<Request, "url" | "method">) {
  const host = message.headers.host ?? "";
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) {
    return { status: 421, type: "text/plain", body: "This mailbox answers on loopback only.\n" };
  }
  const base = `http://${host}`;
  const path = message.url ?? "/";
  if (!URL.canParse(path, base)) {
    return { status: 400, type: "text/plain", body: "There is no such page.\n" };
  }
  const url = new URL(path, base);
  const method = message.method === "HEAD" ? "GET" : (message.method ?? "GET");
  if (method !== "GET" && isForeign(message)) {
    return {
      status: 403,
      type: "text/plain",
      body: "Requests from other sites cannot change anything here.\n",
    };
  }
  for (const [routeMethod, pattern, route] of ROUTES) {
    const match = method === routeMethod ? pattern.exec(url.pathname) : undefined;
    if (!match) continue;
    try {
      return await route({ url, method, ...served }, match.slice(1));
    } catch (error) {
      process.stderr.write(`mailbox: ${url.pathname}: ${String(error)}\n`);
      return { status: 500, type: "text/plain", body: `${String(error)}\n` };
    }
  }
  return missing(url, "This page does not exist.");
}

function send(response: ServerResponse, answer: Answer) {
  response.writeHead(answer.status ?? 200, {
    "Content-Type": answer.type.includes("charset") ? answer.type : `${answer.type}; charset=utf-8`,
    "Content-Length": Buffer.byteLength(answer.body),
    "Content-Security-Policy": answer.policy ?? PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    ...(answer.disposition ? { "Content-Disposition": answer.disposition } : {}),
  });
  response.end(answer.body);
}

async function showInbox({ url, store, options }: Request): Promise<Answer> {
  const to = url.searchParams.get("to") ?? "";
  const messages = store.list({ to, limit: MAX_ROWS_SHOWN });
  const rows = await Promise.all(messages.map(summarize));
  return page(inboxPage({ messages: rows, to, smtpPort: options.smtpPort, ...store.stats() }));
}

async function showAsset(_request: Request, [name = ""]: string[]): Promise<Answer> {
  const body = await readFile(new URL(name, import.meta.url));
  return { type: name.endsWith(".css") ? "text/css" : "text/javascript", body };
}

async function showQuickstart({ url, quickstart }: Request): Promise<Answer> {
  if (!quickstart) return missing(url, "The join form is available once the service is running.");
  return { ...page(await quickstartPage(quickstart)), policy: quickstartPolicy(quickstart) };
}

async function showMessage(message: StoredMessage, { url }: Request): Promise<Answer> {
  const detail = await describe(message);
  const asked = MESSAGE_VIEWS.find((view) => view === url.searchParams.get("view"));
  return page(messagePage(detail, asked ?? (detail.html ? "html" : "text")));
}

/** Sends a report about a mail, and shows the result on its page. */
function reportOnPage(kind: ReportKind): MessageRoute {
  return async (message, { options }) => {
    const reported = await handBack(options.serviceOrigin, kind, message);
    const detail = await describe(message);
    const notice = reported.ok
      ? `The service accepted this ${kind} for ${reported.to}.`
      : `No ${kind}: ${reported.error}.`;
    const shown = page(messagePage(detail, detail.html ? "html" : "text", notice));
    return { ...shown, status: reported.ok ? 200 : reported.status };
  };
}

function reportMessage(kind: ReportKind): MessageRoute {
  return async (message, { options }) => {
    const reported = await handBack(options.serviceOrigin, kind, message);
    if (reported.ok) return json({ reported: kind, to: reported.to });
    return { ...json({ error: reported.error }), status: reported.status };
  };
}

async function showMessageHtml(message: StoredMessage, { options }: Request): Promise<Answer> {
  const { html = "" } = await parseMessage(message);
  return {
    type: "text/html",
    body: openLinksInNewTab(html),
    policy: `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: ${options.imageOrigin}; frame-ancestors 'self'`,
  };
}

/**
 * Makes links open in a new tab, to try out tracked links; the base element must follow the
 * doctype.
 */
function openLinksInNewTab(html: string): string {
  const base = '<base target="_blank">';
  const head = /<head[^>]*>/i.exec(html);
  if (!head) return html.replace(/^(\s*<!doctype[^>]*>)?/i, (doctype) => `${doctype}${base}`);
  const at = head.index + head[0].length;
  return `${html.slice(0, at)}${base}${html.slice(at)}`;
}

function showSource(message: StoredMessage): Answer {
  return { type: "text/plain", body: message.raw };
}

async function showAttachment(message: StoredMessage, request: Request, [, index]: string[]) {
  const { attachments } = await parseMessage(message);
  const attachment = attachments[Number(index)];
  if (!attachment) return missing(request.url, "This email has no such attachment.");
  const name = encodeURIComponent(attachment.filename ?? `part-${Number(index) + 1}`);
  return {
    type: "application/octet-stream",
    body: attachmentBytes(attachment),
    disposition: `attachment; filename*=UTF-8''${name}`,
  };
}

async function listMessages({ url, store }: Request): Promise<Answer> {
  const to = url.searchParams.get("to") ?? undefined;
  const messages = await Promise.all(store.list({ to }).map(summarize));
  return json({ messages, ...store.stats() });
}

function clearMessages({ store }: Request): Answer {
  store.clear();
  return json(store.stats());
}

function withMessage(show: MessageRoute): Route {
  return (request, params) => {
    const message = request.store.find(params[0] ?? "");
    return message
      ? show(message, request, params)
      : missing(request.url, "This email is not, or no longer, in the mailbox.");
  };
}

function missing(url: URL, what: string): Answer {
  if (url.pathname.startsWith("/api/")) return { ...json({ error: what }), status: 404 };
  return { ...page(missingPage(what)), status: 404 };
}

const page = (body: string): Answer => ({ type: "text/html", body });
const json = (value: unknown): Answer => ({
  type: "application/json",
  body: JSON.stringify(value),
});
