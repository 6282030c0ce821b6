import type { HttpContext } from "../http-env.ts";

/** The page of the dashboard among the files of the deployment. */
const PAGE = "/dashboard/";

/** The first segments of paths that are no page: calls, mailed links, files, monitoring. */
const NO_PAGE =
  /^\/(?:api|t|c|unsubscribe|preferences|webhooks|docs|dashboard|health|version)(?:\/|\.|$)/;

/**
 * The policy of the page: scripts and styles are files of this service, and so is all that they
 * load (Content Security Policy Level 3).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Tells whether a browser asks for a page: programs and links in mails never get the dashboard. */
function isNavigation({ req }: HttpContext): boolean {
  if (req.method !== "GET" && req.method !== "HEAD") return false;
  return (req.header("Accept") ?? "").includes("text/html") && !NO_PAGE.test(req.path);
}

/**
 * Answers the navigation of a browser to a page of the dashboard; undefined for other requests, and
 * if the dashboard is not built.
 */
export async function answerDashboard(c: HttpContext): Promise<Response | undefined> {
  if (!isNavigation(c)) return undefined;
  const page = await c.env.ASSETS.fetch(new URL(PAGE, c.req.url));
  if (!page.ok) return undefined;
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-cache",
    "Referrer-Policy": "same-origin", // a form to this service names its origin (decision D32)
    "X-Frame-Options": "DENY",
  });
  return new Response(c.req.method === "HEAD" ? null : page.body, { headers });
}
