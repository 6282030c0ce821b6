import { html } from "hono/html";
import { createMiddleware } from "hono/factory";
import { AppError, bodyOf, refusal } from "../../errors.ts";
import { isUuid } from "../../lib/ids.ts";
import { wordsOf, type Words } from "../../mail/words/index.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { audienceSettingsOf, selectProject } from "../../services/projects/index.ts";
import { FORM_BODY } from "../form-body.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { mediaTypeOf } from "../read-body.ts";
import { senderOf } from "./page-brand.ts";
import { page } from "./page-shell.ts";
import { languageOf } from "./reader-words.ts";

/**
 * Turns the JSON answer to a sign-up into a page if a browser posted a form, because it shows what
 * it gets. Status and other headers stay. The page has no link, so a form cannot choose where it
 * leads.
 */
export const answerForms = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  if (!isOfBrowser(c)) return;
  const { status } = c.res;
  const project = status === 429 ? c.var.project : await projectOf(c);
  const language = project ? audienceSettingsOf(project).language : languageOf(c);
  const words = wordsOf(language);
  const { title, text, said = "" } = c.error ? refused(c.error, words) : done(project, words);
  const content = html`<p role="status">${text}</p>
    ${said === "" ? "" : html`<p><small>${said}</small></p>`}`;
  const { html: shown, headers } = page(title, content, { language, sender: senderOf(project) });
  const type = { "Content-Type": "text/html; charset=UTF-8" };
  c.res = new Response(String(await shown), { status, headers: { ...headers, ...type } });
});

/** True for a form that a browser posted as a navigation; scripts get JSON. */
const isOfBrowser = (c: HttpContext): boolean =>
  c.req.method === "POST" &&
  Object.hasOwn(FORM_BODY, mediaTypeOf(c)) &&
  (c.req.header("Accept") ?? "").includes("text/html");

/** Returns the project of the key, or of the path; undefined if there is none. */
async function projectOf(c: HttpContext): Promise<ProjectRow | undefined> {
  const id = c.req.param("id") ?? "";
  if (c.var.project || !isUuid(id)) return c.var.project;
  const [project] = await selectProject(c.var.ctx.deps.db, id);
  return project;
}

interface Said {
  title: string;
  text: string;
  /** The refusal in English, for whoever builds the form. */
  said?: string;
}

function done(project: ProjectRow | undefined, { form }: Words): Said {
  return project && audienceSettingsOf(project).doubleOptIn
    ? { title: form.checkInbox, text: form.checkInboxHint }
    : { title: form.done, text: form.doneHint };
}

function refused(error: Error, { form, faults }: Words): Said {
  const refusedBy = error instanceof AppError ? error : refusal("internal_error", {});
  const { code, status } = refusedBy;
  const { details = [], error: said } = bodyOf(refusedBy);
  if (status === 409) return { title: form.known, text: form.knownHint };
  if (status === 429) return { title: form.later, text: form.laterHint };
  if (status === 401 || code === "not_found")
    return { title: form.closed, text: form.closedHint, said };
  const title = faults.failed;
  if (code.startsWith("turnstile_") && status === 403) return { title, text: form.human };
  if (details.some(({ path }) => path === "email")) return { title, text: form.invalidEmail };
  return { title, text: form.failedHint, said };
}
