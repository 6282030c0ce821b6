import { Hono } from "hono";
import { html } from "hono/html";
import { takeReaderAction } from "../../services/limits/index.ts";
import { readPreferences, type Reader } from "../../services/preferences/index.ts";
import { askAgain, confirmSubscription } from "../../services/subscribers/index.ts";
import { askedIn } from "../../services/topics/index.ts";
import { openConfirmationLink, type ConfirmationLink } from "../../services/tracking/index.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { applyVerdict } from "../limit-headers.ts";
import { refusalOf } from "../render-errors.ts";
import { page, show, type Page } from "./page-shell.ts";
import { postedForm } from "./posted-form.ts";
import { askedText, failedReaderPage, readerWords, unknownReaderPage } from "./reader-words.ts";

const PATH = "/confirm/:token";

/** The form field for the action, and its value to request another mail. */
const FIELD = "do";
const RESEND = "resend";

/**
 * Returns the routes of the link that confirms a subscription (API reference §13.6). GET shows a
 * button and changes nothing, because scanners and prefetches follow links; POST confirms.
 */
export function confirmRoutes() {
  return new Hono<HttpEnv>()
    .get(PATH, async (c) => {
      const visit = await open(c);
      return visit ? show(c, pageOf(visit)) : showUnknown(c);
    })
    .post(PATH, async (c) => {
      const form = await postedForm(c);
      const visit = await open(c);
      if (!visit) return showUnknown(c);
      const { ctx } = c.var;
      applyVerdict(c, await takeReaderAction(ctx, "change", visit.reader.subscriber.id), "hour");
      return form.get(FIELD) === RESEND ? resend(c, visit) : confirm(c, visit);
    })
    .onError((error, c) => show(c, failedReaderPage(c), refusalOf(error, c).status));
}

interface Visit {
  link: ConfirmationLink;
  reader: Reader;
}

/**
 * Resolves a link. Undefined if the link is forged, the subscription is gone, or the address
 * changed. The link expires if the person unsubscribed after its mail.
 */
async function open(c: HttpContext): Promise<Visit | undefined> {
  const { deps } = c.var.ctx;
  const link = await openConfirmationLink(deps, c.req.param("token") ?? "");
  const reader = link && (await readPreferences(deps, link));
  if (!link || !reader?.hasAddress) return undefined;
  const hasLeftSince = (reader.subscriber.unsubscribedAt ?? 0) > link.mailedAt;
  return { link: { ...link, isExpired: link.isExpired || hasLeftSince }, reader };
}

/** Confirms the subscription; idempotent, because a person may press the button twice. */
async function confirm(c: HttpContext, visit: Visit): Promise<Response> {
  const { link, reader } = visit;
  if (link.isExpired) return show(c, pageOf(visit), 400);
  const subscriber = await confirmSubscription(c.var.ctx, reader.subscriber, link);
  if (!subscriber) return showUnknown(c);
  const after = { ...reader, subscriber, history: [] };
  return show(c, pageOf({ link, reader: after }));
}

/**
 * Sends a new link if there is something to confirm; otherwise returns the page for the current
 * status.
 */
async function resend(c: HttpContext, visit: Visit): Promise<Response> {
  const { link, reader } = visit;
  const { words, say, look } = readerWords(reader);
  const asked = await askAgain(c.var.ctx, reader.subscriber, link.welcome);
  const text = askedText(words, asked);
  if (text === undefined) return show(c, pageOf(visit));
  return show(c, page(words.confirm.title, html`<p role="status">${say(text)}</p>`, look));
}

/** Returns the page for the state of the subscription. */
function pageOf({ link, reader }: Visit): Page {
  const { words, say, look } = readerWords(reader);
  const { confirm: texts } = words;
  const { status } = reader.subscriber;
  const topics = askedIn(reader.history, link.mailedAt);
  if (status === "active" && topics.length === 0)
    return page(texts.done, html`<p role="status">${say(texts.doneHint)}</p>`, look);
  if (status === "unsubscribed") return page(texts.title, html`<p>${texts.notWaiting}</p>`, look);
  if (link.isExpired)
    return page(
      texts.expired,
      html`<p>${texts.expiredHint}</p>
        <form method="post">
          <input type="hidden" name="${FIELD}" value="${RESEND}" />
          <button>${texts.sendNew}</button>
        </form>`,
      look,
    );
  return page(
    texts.title,
    html`<p>${say(texts.intro)}</p>
      ${
        topics.length === 0
          ? ""
          : html`<ul>
              ${topics.map((name) => html`<li>${name}</li>`)}
            </ul>`
      }
      <form method="post"><button>${texts.button}</button></form>`,
    look,
  );
}

const showUnknown = (c: HttpContext) => show(c, unknownReaderPage(c), 404);
