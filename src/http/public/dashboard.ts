import type { HttpContext } from "../http-env.ts";

/** Path of the dashboard's page in the static assets. */
const PAGE = "/dashboard";

/**
 * First path segments that never belong to the dashboard: API calls, links in mails, files,
 * monitoring.
 */
const NO_PAGE =
  /^\/(?:api|t|c|f|unsubscribe|preferences|confirm|view|archive|webhooks|hooks|images|docs|dashboard|health|version)(?:\/|\.|$)/;

/**
 * The policy of the page: scripts, styles and everything else load from this service only (Content
 * Security Policy Level 3).
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

/** Returns true for a browser navigation; programs and links in mails never get the dashboard. */
function isNavigation({ req }: HttpContext): boolean {
  if (req.method !== "GET" && req.method !== "HEAD") return false;
  return (req.header("Accept") ?? "").includes("text/html") && !NO_PAGE.test(req.path);
}

/**
 * Serves the dashboard for a browser navigation. Undefined for other requests, and if the dashboard
 * is not built.
 */
export async function answerDashboard(c: HttpContext): Promise<Response | undefined> {
  if (!isNavigation(c)) return undefined;
  const page = await c.env.ASSETS.fetch(new URL(PAGE, c.req.url));
  if (!page.ok) return undefined;
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-cache",
    "Referrer-Policy": "same-origin", // forms that post to this service then send their Origin (decision D32)
    "X-Frame-Options": "DENY",
  });
  return new Response(c.req.method === "HEAD" ? null : page.body, { headers });
}
