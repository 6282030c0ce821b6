/*
 * Checks whether the page of a link exists, without reading it: HEAD, or a GET of one byte if the
 * server does not support HEAD.
 *
 * The server is not trustworthy. It may hang, redirect into our network, redirect in a loop, or
 * answer endlessly. One timeout covers all its responses, each redirect target passes the host
 * guard before it is requested, and no body is read.
 */
import type { Deps } from "../../deps.ts";
import { PRODUCT } from "../../lib/product.ts";
import type { Message } from "../../messages/message.ts";
import { preflightReason } from "../../messages/preflight.ts";
import { checkUrl } from "../../mail/net/host-guard.ts";

const REDIRECTS_MAX = 3;
const LINK_TIMEOUT_MS = 5_000;

/** Statuses that redirect (RFC 9110 §15.4). */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses of servers that do not support HEAD (RFC 9110 §15.5.6, §15.6.2). */
const NO_HEAD = new Set([405, 501]);

const HEADERS = { "User-Agent": `Postrider/${PRODUCT.version} (link check)` };

/** The state of a link. `unclear`: the server does not answer bots, or not in time. */
export type LinkState = { kind: "good" } | { kind: "broken" | "unclear"; why: Message };

type Asking = Pick<Deps, "config" | "fetch">;

/** Requests the page of a link. Never throws; `signal` ends the wait early. */
export async function probeLink(deps: Asking, url: string, end: AbortSignal): Promise<LinkState> {
  const signal = AbortSignal.any([end, AbortSignal.timeout(LINK_TIMEOUT_MS)]);
  let target = url;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const checked = checkUrl(target, { allowPrivate: deps.config.allowPrivateTargets });
    if (!checked.ok) return broken(preflightReason("link_not_public", { reason: checked.reason }));
    const answer = await askPage(deps, checked.url, signal);
    if (answer === "time_out") return unclear(preflightReason("link_slow"));
    if (answer === "unreachable") return broken(preflightReason("link_unreachable"));
    const location = REDIRECTS.has(answer.status) ? answer.headers.get("Location") : null;
    if (location === null || !URL.canParse(location, checked.url)) return judge(answer.status);
    target = new URL(location, checked.url).href;
  }
  return broken(preflightReason("too_many_redirects", { max: REDIRECTS_MAX }));
}

async function askPage(
  { fetch }: Asking,
  url: string,
  signal: AbortSignal,
): Promise<Response | "time_out" | "unreachable"> {
  const ask = async (method: "HEAD" | "GET", more: Record<string, string> = {}) => {
    const headers = { ...HEADERS, ...more };
    const answer = await fetch(url, { method, headers, redirect: "manual", signal });
    await answer.body?.cancel();
    return answer;
  };
  try {
    const answer = await ask("HEAD");
    return NO_HEAD.has(answer.status) ? await ask("GET", { Range: "bytes=0-0" }) : answer;
  } catch {
    return signal.aborted ? "time_out" : "unreachable"; // the error says nothing useful
  }
}

/** Bots also get other statuses of clients' faults for pages that readers can open. */
function judge(status: number): LinkState {
  if (status < 300) return { kind: "good" };
  const told = { status: String(status) };
  const isForBots = status >= 400 && status < 500 && status !== 404 && status !== 410;
  return isForBots
    ? unclear(preflightReason("link_status_to_programs", told))
    : broken(preflightReason("link_status", told));
}

const broken = (why: Message): LinkState => ({ kind: "broken", why });
const unclear = (why: Message): LinkState => ({ kind: "unclear", why });
