import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError, badRequest } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import {
  readSubscription,
  resubscribe,
  unsubscribe,
  type SubscriptionChange,
} from "../../services/subscribers/index.ts";
import { isSecurityScanner, isUndoToken, undoToken } from "../../services/tracking/index.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { refusalOf } from "../render-errors.ts";
import { isLookAhead } from "./look-ahead.ts";
import {
  confirmPage,
  failedPage,
  PAGE_HEADERS,
  resubscribedPage,
  UNDO_FIELD,
  unknownLinkPage,
  unsubscribedPage,
} from "./unsubscribe-page.ts";

type Page = ReturnType<typeof confirmPage>;

/** The forms posted here are a token or two words; this leaves room for a multipart frame. */
const MAX_FORM_BYTES = 16_384;

const PATH = "/unsubscribe/:projectId/:subscriberId";

/**
 * The unsubscribe link of a mail (API reference, "Unsubscribe"; RFC 8058). Who knows the two ids may
 * act, from any site. GET acts, but for visitors who say that they are no person: they get a button.
 */
export const unsubscribeRoutes = new Hono<HttpEnv>()
  .get(PATH, (c) =>
    isLookAhead(c) || isSecurityScanner(c.var.ctx.userAgent) ? showButton(c) : leave(c),
  )
  .post(PATH, async (c) => {
    const token = await postedUndoToken(c);
    return token === undefined ? leave(c) : comeBack(c, token);
  })
  .onError((error, c) => show(c, failedPage(), refusalOf(error, c).status));

const idsOf = (c: HttpContext): [string, string] => [
  c.req.param("projectId") ?? "",
  c.req.param("subscriberId") ?? "",
];

async function showButton(c: HttpContext): Promise<Response> {
  const { app } = c.var.ctx;
  const subscription = await readSubscription(app, ...idsOf(c));
  if (!subscription.found) return showUnknown(c);
  return subscription.status === "unsubscribed"
    ? showUnsubscribed(c, subscription.email)
    : show(c, confirmPage(subscription.email));
}

async function leave(c: HttpContext): Promise<Response> {
  const change = await unsubscribe(c.var.ctx.app, ...idsOf(c));
  return change.found ? showUnsubscribed(c, change.email) : showUnknown(c);
}

async function comeBack(c: HttpContext, token: string): Promise<Response> {
  const { app } = c.var.ctx;
  if (!(await isUndoToken(app, ...idsOf(c), token))) throw badRequest("invalid undo token");
  const change: SubscriptionChange = await resubscribe(app, ...idsOf(c));
  return change.found ? show(c, resubscribedPage(change.email)) : showUnknown(c);
}

async function showUnsubscribed(c: HttpContext, email: string): Promise<Response> {
  return show(c, unsubscribedPage(email, await undoToken(c.var.ctx.app, ...idsOf(c))));
}

const showUnknown = (c: HttpContext) => show(c, unknownLinkPage(), 404);

async function show(
  c: HttpContext,
  page: Page,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  return c.html(await page, status, PAGE_HEADERS);
}

/**
 * The undo token of a form of the page, or undefined for any other body: mail programs post
 * `List-Unsubscribe=One-Click` in either form encoding, and whatever they get wrong still means "leave".
 */
async function postedUndoToken(c: HttpContext): Promise<string | undefined> {
  const read = await readLimited(c.req.raw.body, MAX_FORM_BYTES);
  if (!read.ok) throw new AppError("payload_too_large", "the form is larger than 16 KiB");
  const form = new URLSearchParams(new TextDecoder().decode(read.bytes));
  return form.get(UNDO_FIELD) ?? undefined;
}
