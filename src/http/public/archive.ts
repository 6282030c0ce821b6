import { Hono } from "hono";
import { isUuid } from "../../lib/ids.ts";
import { fillWords, wordsOf } from "../../mail/words/index.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { readArchive, readArchivedMail } from "../../services/mailing/index.ts";
import { audienceSettingsOf, mailSettingsOf } from "../../services/projects/index.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { refusalOf } from "../render-errors.ts";
import { atomFeed } from "./archive-feed.ts";
import { archivedMailPage, archivePage, SEARCH_MAX, type ArchiveLook } from "./archive-pages.ts";
import { cachedAtEdge, publicFor } from "./edge-cache.ts";
import { mailHeaders } from "./mail-page.ts";
import { show } from "./page-shell.ts";
import { failedReaderPage, unknownArchivePage } from "./reader-words.ts";

/** The broadcasts of a page and of the feed. */
const LIMIT = 20;
const PAGE_MAX = 1_000;

/**
 * Returns the routes of the archives (API reference §13.10): public, indexable, and cached. They
 * read no subscriber.
 */
export function archiveRoutes() {
  return new Hono<HttpEnv>()
    .get("/archive/:projectId", (c) => {
      const search = (c.req.query("q") ?? "").trim().slice(0, SEARCH_MAX);
      const number = numberOf(c.req.query("page"));
      const query = new URLSearchParams({ q: search, page: String(number) }).toString();
      return answer(c, `?${query}`, async (projectId) => {
        const page = { search, limit: LIMIT, offset: (number - 1) * LIMIT };
        const found = await readArchive(c.var.ctx.deps, projectId, page);
        if (!found) return undefined;
        return show(c, archivePage(lookOf(c, found.project), { ...found, number, search }));
      });
    })
    .get("/archive/:projectId/feed.xml", (c) =>
      answer(c, "/feed.xml", async (projectId) => {
        const page = { search: "", limit: LIMIT, offset: 0 };
        const found = await readArchive(c.var.ctx.deps, projectId, page);
        if (!found) return undefined;
        const { sender, ...look } = lookOf(c, found.project);
        const title = fillWords(wordsOf(look.language).archive.title, { project: sender.name });
        const { broadcasts, project } = found;
        const whose = { projectId, title, author: sender.name, since: project.createdAt };
        return c.body(atomFeed({ ...look, ...whose, broadcasts }), 200, {
          "Content-Type": "application/atom+xml; charset=utf-8",
          "Content-Security-Policy": "default-src 'none'; sandbox",
          "Cross-Origin-Opener-Policy": "unsafe-none",
          "X-Content-Type-Options": "nosniff",
          "Cache-Control": look.publicFor,
        });
      }),
    )
    .get("/archive/:projectId/:broadcastId", (c) => {
      const id = c.req.param("broadcastId").toLowerCase();
      return answer(c, `/${id}`, async (projectId) => {
        const found = isUuid(id)
          ? await readArchivedMail(c.var.ctx.deps, projectId, id)
          : undefined;
        if (!found) return undefined;
        const look = lookOf(c, found.project);
        const headers = { ...mailHeaders(c.var.ctx.deps.config), "Cache-Control": look.publicFor };
        return c.body(archivedMailPage(look, id, found), 200, headers);
      });
    })
    .onError((error, c) => show(c, failedReaderPage(c), refusalOf(error, c).status));
}

function numberOf(text = "1"): number {
  return /^[1-9]\d{0,3}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1;
}

/** Answers with a page of a project's archive, or with 404 if there is none. */
async function answer(
  c: HttpContext,
  path: string,
  make: (projectId: string) => Promise<Response | undefined>,
): Promise<Response> {
  const projectId = c.req.param("projectId") ?? "";
  if (!isUuid(projectId)) return show(c, unknownArchivePage(c), 404);
  return cachedAtEdge(
    c,
    urlOf(c, projectId) + path,
    async () => (await make(projectId)) ?? show(c, unknownArchivePage(c), 404),
  );
}

const urlOf = (c: HttpContext, projectId: string) =>
  `${c.var.ctx.deps.config.baseUrl}/archive/${projectId}`;

function lookOf(c: HttpContext, project: ProjectRow): ArchiveLook {
  return {
    sender: { name: project.name, brand: mailSettingsOf(project).brand },
    language: audienceSettingsOf(project).language,
    url: urlOf(c, project.id),
    publicFor: publicFor(c.var.ctx.deps.now()),
  };
}
