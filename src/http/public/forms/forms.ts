import { Hono } from "hono";
import { html } from "hono/html";
import { AppError } from "../../../errors.ts";
import { isUuid } from "../../../lib/ids.ts";
import { wordsOf } from "../../../mail/words/index.ts";
import { REFUSALS, type RefusalCode } from "../../../messages/refusals.ts";
import {
  joinByForm,
  openForm,
  type FormAnswer,
  type OpenForm,
} from "../../../services/forms/index.ts";
import { takeWaitlistJoin } from "../../../services/limits/index.ts";
import type { HttpContext, HttpEnv } from "../../http-env.ts";
import { applyStricterVerdict } from "../../limit-headers.ts";
import type { createIpLimits } from "../../middleware/limit-by-ip.ts";
import { refusalOf } from "../../render-errors.ts";
import { page, PAGE_HEADERS, show } from "../page-shell.ts";
import { postedForm } from "../posted-form.ts";
import { languageOf } from "../reader-words.ts";
import { formWords } from "./form-look.ts";
import { donePage, doneWords, formPage, type Tried } from "./form-page.ts";
import { formScript } from "./form-script.ts";
import { FIELDS, PROBLEMS, readAnswer } from "./read-answer.ts";

const PATH = "/f/:form";

/** How long browsers may show an embedded form without asking for changes. */
const SCRIPT_HEADERS = {
  "Cache-Control": "public, max-age=300",
  "Content-Type": "text/javascript; charset=utf-8",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/**
 * Returns the routes of sign-up forms (API reference §12.16): a page that needs no script, and a
 * script that embeds the form. Any site may post a form.
 */
export function formRoutes(limitByIp: ReturnType<typeof createIpLimits>) {
  return new Hono<HttpEnv>()
    .on("POST", PATH, limitByIp({ buckets: ["all", "waitlist"] }))
    .use("/f/*", limitByIp({ buckets: ["all"] }))
    .get(PATH, async (c) => {
      const name = c.req.param("form");
      const id = name.replace(/\.js$/, "");
      const open = await find(c, id);
      if (id === name) return open ? show(c, formPage(open)) : showClosed(c);
      const { baseUrl } = c.var.ctx.deps.config;
      const script = open ? await formScript(open, `${baseUrl}/f/${id}`) : "";
      return c.body(script, open ? 200 : 404, SCRIPT_HEADERS);
    })
    .get(`${PATH}/done`, async (c) => {
      const open = await find(c, c.req.param("form"));
      return open ? show(c, donePage(open)) : showClosed(c);
    })
    .post(PATH, async (c) => {
      const posted = await postedForm(c);
      const open = await find(c, c.req.param("form"));
      if (!open) return showClosed(c);
      const isTrapped = (posted.get(FIELDS.trap) ?? "") !== "";
      if (isTrapped) return answerDone(c, open);
      const read = readAnswer(open, posted);
      const { faulty } = formWords(open);
      if (!read.ok)
        return answerTried(c, open, "invalid_request", {
          posted,
          problems: read.problems,
          notice: faulty,
        });
      return join(c, open, posted, read.answer);
    })
    .onError((error, c) => {
      const { status, body } = refusalOf(error, c);
      const { form, faults } = wordsOf(languageOf(c));
      return status === 429
        ? answer(c, body.code, form.later, form.laterHint)
        : answer(c, body.code, faults.failed, form.failedHint);
    });
}

/** Finds an open form; undefined for an id that is not a UUID, which saves a lookup. */
const find = async (c: HttpContext, id: string): Promise<OpenForm | undefined> =>
  isUuid(id) ? openForm(c.var.ctx, id) : undefined;

/** Subscribes the person, or shows the form again with the reason why it did not. */
async function join(
  c: HttpContext,
  open: OpenForm,
  posted: URLSearchParams,
  given: FormAnswer,
): Promise<Response> {
  const { ctx } = c.var;
  try {
    applyStricterVerdict(c, await takeWaitlistJoin(ctx, open.project.id));
    await joinByForm(ctx, open, given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status } = refusalOf(error, c);
    const { human, laterHint, failedHint } = formWords(open);
    const isHuman = error.code.startsWith("turnstile_") && status === 403;
    const notice = isHuman ? human : status === 429 ? laterHint : failedHint;
    return answerTried(c, open, error.code, { posted, problems: new Map(), notice });
  }
  return answerDone(c, open);
}

/** True for the embedded form, which reads the answer itself. */
const wantsJson = (c: HttpContext) => (c.req.header("Accept") ?? "").includes("application/json");

function answerDone(c: HttpContext, open: OpenForm): Response {
  const { redirectUrl } = open.form.content;
  if (wantsJson(c)) return c.json({ message: doneWords(open).text, redirect_url: redirectUrl });
  return c.body(null, 303, {
    ...PAGE_HEADERS,
    Location: redirectUrl ?? `/f/${open.form.id}/done`,
  });
}

/** Answers a sign-up that was refused: with the form again, or with a refusal in its language. */
function answerTried(
  c: HttpContext,
  open: OpenForm,
  code: RefusalCode,
  tried: Tried,
): Response | Promise<Response> {
  const { status } = REFUSALS[code];
  if (!wantsJson(c)) return show(c, formPage(open, tried), status);
  const words = formWords(open);
  const details = [...tried.problems].map(([path, problem]) => {
    return { path, code: PROBLEMS[problem], message: words[problem] };
  });
  return c.json({ error: tried.notice, code, details }, status);
}

function showClosed(c: HttpContext) {
  const { closed, closedHint } = wordsOf(languageOf(c)).form;
  return answer(c, "not_found", closed, closedHint);
}

/** Answers a refusal without a form, in the language of the browser. */
function answer(c: HttpContext, code: RefusalCode, title: string, text: string) {
  const { status } = REFUSALS[code];
  if (wantsJson(c)) return c.json({ error: text, code }, status);
  return show(c, page(title, html`<p>${text}</p>`, { language: languageOf(c) }), status);
}
