import { Hono } from "hono";
import { viewMail } from "../../services/mailing/index.ts";
import { openViewLink } from "../../services/tracking/index.ts";
import type { HttpEnv } from "../http-env.ts";
import { refusalOf } from "../render-errors.ts";
import { mailHeaders, mailPage } from "./mail-page.ts";
import { NO_STORE } from "./no-store.ts";
import { show } from "./page-shell.ts";
import { failedReaderPage, goneMailPage, testMailPage, unknownReaderPage } from "./reader-words.ts";

const NO_INDEX = "noindex, nofollow";

/**
 * Returns the route of the link that shows a recipient their mail (API reference §13.9). It changes
 * and records nothing.
 */
export function viewRoutes() {
  return new Hono<HttpEnv>()
    .get("/view/:token", async (c) => {
      const { deps } = c.var.ctx;
      const token = c.req.param("token");
      const link = await openViewLink(deps, token);
      if (!link) return show(c, unknownReaderPage(c), 404);
      if (link.isTest) return show(c, testMailPage(c));
      const url = `${deps.config.baseUrl}/view/${token}`;
      const viewed = link.isExpired ? undefined : await viewMail(deps, link, url);
      if (!viewed) return show(c, goneMailPage(c), 410);
      const { mail, language } = viewed;
      const head = `<meta name="robots" content="${NO_INDEX}">`;
      const headers = { ...mailHeaders(deps.config), ...NO_STORE, "X-Robots-Tag": NO_INDEX };
      return c.body(mailPage(mail, language, head), 200, headers);
    })
    .onError((error, c) => show(c, failedReaderPage(c), refusalOf(error, c).status));
}
