import { Hono } from "hono";
import { refusal } from "../../errors.ts";
import { takeReaderAction } from "../../services/limits/index.ts";
import { readPreferences, saveTopics, type Reader } from "../../services/preferences/index.ts";
import {
  askAgain,
  askForConfirmation,
  comeBack,
  mailDataLink,
  resubscribe,
  unsubscribe,
} from "../../services/subscribers/index.ts";
import { personProof } from "../../services/topics/index.ts";
import {
  openDataLink,
  openPreferenceLink,
  type PreferenceLink,
} from "../../services/tracking/index.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { applyVerdict } from "../limit-headers.ts";
import { refusalOf } from "../render-errors.ts";
import { PAGE_HEADERS, show } from "./page-shell.ts";
import { postedForm } from "./posted-form.ts";
import { ACTIONS, FIELDS, preferencesPage, type Action, type Notice } from "./preferences-page.ts";
import { streamParts } from "../stream-parts.ts";
import { exportForReader } from "./reader-export.ts";
import {
  askedText,
  expiredDataPage,
  failedReaderPage,
  readerWords,
  unknownReaderPage,
} from "./reader-words.ts";

const PATH = "/preferences/:token";

/**
 * Returns the routes of the preference link in mails of drafts (API reference §13.5; RFC 8058). GET
 * changes nothing, so programs that follow links do no harm. A POST without the fields of the page
 * is the one-click unsubscription of a mail client: it leaves the mail's topic, or everything for a
 * mail without one. The data download has a separate link, which is sent only to the subscriber's
 * mailbox.
 */
export function preferenceRoutes() {
  return new Hono<HttpEnv>()
    .get(PATH, async (c) => {
      const visit = await open(c);
      return visit ? showPage(c, visit) : showUnknown(c);
    })
    .get(`${PATH}/data`, async (c) => {
      const { ctx } = c.var;
      const link = await openDataLink(ctx.deps, c.req.param("token") ?? "");
      if (link?.isExpired) return show(c, expiredDataPage(c), 404);
      const reader = link && (await readPreferences(ctx.deps, link));
      if (!reader?.hasAddress) return showUnknown(c);
      applyVerdict(c, await takeReaderAction(ctx, "download", reader.subscriber.id), "hour");
      const body = await streamParts("reader", exportForReader(ctx, reader));
      return c.body(body, 200, {
        ...PAGE_HEADERS,
        "Content-Type": "application/json",
        "Content-Disposition": 'attachment; filename="data.json"',
      });
    })
    .post(PATH, async (c) => {
      const form = await postedForm(c);
      const visit = await open(c);
      return visit ? act(c, visit, form) : showUnknown(c);
    })
    .onError((error, c) => show(c, failedReaderPage(c), refusalOf(error, c).status));
}

interface Visit {
  link: PreferenceLink;
  reader: Reader;
}

/**
 * Resolves the link and its subscription; undefined for a forged link or a subscription that is
 * gone.
 */
async function open(c: HttpContext): Promise<Visit | undefined> {
  const { deps } = c.var.ctx;
  const link = await openPreferenceLink(deps, c.req.param("token") ?? "");
  const reader = link && (await readPreferences(deps, link));
  return link && reader && { link, reader };
}

async function act(c: HttpContext, visit: Visit, form: URLSearchParams): Promise<Response> {
  const given = form.get(FIELDS.action);
  const action = ACTIONS.find((one) => one === given);
  if (given !== null && !action) throw refusal("unknown_form", {});
  const notice = action ? await press(c, visit, form, action) : await leaveMail(c, visit);
  const reader = await readPreferences(c.var.ctx.deps, visit.link);
  return reader ? showPage(c, { ...visit, reader }, notice) : showUnknown(c);
}

/** Handles the one-click unsubscription: leaves the topic of the mail, or everything. */
async function leaveMail(c: HttpContext, { link, reader }: Visit): Promise<Notice | undefined> {
  const { projectId, subscriberId, topicId: left, broadcastId } = link;
  if (left === null) {
    const proof = personProof(c.var.ctx, "one_click");
    await unsubscribe(c.var.ctx.deps, projectId, subscriberId, { broadcastId, proof });
    return undefined;
  }
  const { words, say } = readerWords(reader);
  const before = chosenBefore(reader);
  const { name: topic = "…" } = reader.consents.find(({ topicId }) => topicId === left) ?? {};
  const as = { by: "one_click", email: undefined } as const;
  await saveTopics(c.var.ctx, link, { [left]: "unsubscribed" }, as);
  return { text: say(words.preferences.leftTopic, { topic }), before };
}

const chosenBefore = ({ consents }: Reader) =>
  consents.filter(({ state }) => state === "subscribed").map(({ topicId }) => topicId);

/** Performs the action of a button; a reader with another address can only unsubscribe. */
async function press(
  c: HttpContext,
  visit: Visit,
  form: URLSearchParams,
  action: Action,
): Promise<Notice | undefined> {
  const { ctx } = c.var;
  const { link, reader } = visit;
  const { projectId, subscriberId } = link;
  const { words, say } = readerWords(reader);
  const { preferences } = words;
  const proof = personProof(ctx, "page");
  if (action === "leave") {
    const { broadcastId } = link;
    await unsubscribe(ctx.deps, projectId, subscriberId, { broadcastId, proof });
    return undefined; // the page itself reports this, with the undo
  }
  if (action === "data" && reader.hasAddress) return askForData(c, visit);
  applyVerdict(c, await takeReaderAction(ctx, "change", subscriberId), "hour");
  if (action === "save") return save(c, visit, form);
  if (!reader.hasAddress) throw refusal("link_to_former_address", {});
  const { subscriber, settings } = reader;
  if (action === "undo") {
    const at = Number(form.get(FIELDS.leftAt));
    return (await undoLeaving(c, visit, at)) ? { text: preferences.undone } : undefined;
  }
  if (action === "return" && !settings.doubleOptIn) {
    const back = await comeBack(ctx, subscriber);
    if (back?.status === "active") return { text: say(preferences.isBack) };
  }
  const ask = action === "confirm" ? askAgain : askForConfirmation;
  const text = askedText(words, await ask(ctx, subscriber));
  return text === undefined ? undefined : { text: say(text) };
}

/**
 * Sends the link to the data. The response does not reveal whether a limit or the list prevents it.
 */
async function askForData(c: HttpContext, { reader }: Visit): Promise<Notice> {
  const { ctx } = c.var;
  const { words, say } = readerWords(reader);
  const { allowed } = await takeReaderAction(ctx, "data_mail", reader.subscriber.id);
  if (allowed) await mailDataLink(ctx, reader.subscriber);
  return { text: say(words.data.asked) };
}

/**
 * Undoes an unsubscription identified by its time. Returns false if the reader remains
 * unsubscribed, or did not unsubscribe at that time.
 */
async function undoLeaving(c: HttpContext, { reader }: Visit, at: number): Promise<boolean> {
  const { deps } = c.var.ctx;
  const { id, projectId, statusBefore, status, unsubscribedAt } = reader.subscriber;
  if (at !== unsubscribedAt) return false;
  if (status !== "unsubscribed") return true; // the button was pressed twice
  if (!statusBefore || at !== reader.undoableAt) return false;
  const proof = personProof(c.var.ctx, "page");
  const after = await resubscribe(deps, projectId, id, { at, statusBefore }, proof);
  return after.found && after.facts.status !== "unsubscribed";
}

/**
 * Saves the selected topics. The page itself reports what a link to an earlier address cannot do.
 */
async function save(
  c: HttpContext,
  { link, reader }: Visit,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  const { words, say } = readerWords(reader);
  const chosen = new Set(form.getAll(FIELDS.chosen));
  const shown = new Set(form.getAll(FIELDS.shown));
  const choice = reader.choices
    .filter(({ topicId, state }) => shown.has(topicId) && (state !== null || chosen.has(topicId)))
    .map(({ topicId }) => [topicId, chosen.has(topicId) ? "subscribed" : "unsubscribed"] as const);
  const email = reader.hasAddress ? reader.subscriber.email : undefined;
  await saveTopics(c.var.ctx, link, Object.fromEntries(choice), { by: "page", email });
  const before = chosenBefore(reader);
  const isNew = [...chosen].some((topicId) => shown.has(topicId) && !before.includes(topicId));
  if (isNew && reader.hasAddress && reader.settings.doubleOptIn) {
    const text = askedText(words, await askAgain(c.var.ctx, reader.subscriber));
    if (text !== undefined) return { text: say(text) };
  }
  const mayChoose = (topicId: string) => reader.hasAddress || before.includes(topicId);
  if (shown.size === 0 || ![...chosen].every(mayChoose)) return undefined;
  if (form.has(FIELDS.isUndo)) return { text: words.preferences.undone };
  return { text: words.preferences.saved, before };
}

const showPage = (c: HttpContext, { reader }: Visit, notice?: Notice): Promise<Response> =>
  show(c, preferencesPage(reader, readerWords(reader), notice));

const showUnknown = (c: HttpContext) => show(c, unknownReaderPage(c), 404);
