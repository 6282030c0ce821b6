import type { Deps } from "../../deps.ts";
import { findElements } from "../../mail/html/find-elements.ts";
import { faultOfLink } from "../../mail/html/judge-link.ts";
import { checkUrl } from "../../mail/net/host-guard.ts";
import { probeLink, type LinkState } from "./probe-link.ts";
import { LISTS } from "../../messages/lists.ts";
import { messageFrom, type Message, type Param } from "../../messages/message.ts";
import { listed, preflightReason } from "../../messages/preflight.ts";
import { problem, type Problem } from "./problems.ts";
import { cutText } from "../../lib/cut-text.ts";

/** The limits of one link check. Workers open at most six connections at once. */
const LINKS_MAX = 50;
const AT_ONCE = 5;
const ALL_TIMEOUT_MS = 20_000;

/** The number of links that the message of a problem lists. */
const NAMED_MAX = 5;
const NAMED_CHARACTERS_MAX = 200;

/** A link and its fault, unless the problem states it. */
interface BadLink {
  url: string;
  why?: Param;
}

/**
 * The links that are the same for all recipients. Links with variables are personal and must not be
 * requested.
 */
export interface MailLinks {
  web: string[];
  /** Links that no mail client opens, with the reason. */
  faults: BadLink[];
}

/** Finds the distinct links in the sources of templates. */
export function findLinks(sources: readonly string[], deps: Pick<Deps, "config">): MailLinks {
  const urls = new Set(
    sources.flatMap((html) => findElements(html).links.map(({ url }) => withoutFragment(url))),
  );
  const links: MailLinks = { web: [], faults: [] };
  for (const url of urls) {
    if (url.includes("{{")) continue;
    const why = faultOfLink(url) ?? privateReason(deps, url);
    if (why !== undefined) links.faults.push({ url, why });
    else if (isWeb(url)) links.web.push(url);
  }
  return links;
}

/**
 * A variable rendered as HTML, which may contain links, except unsubscribe links, which are not
 * tracked.
 */
const PRINTED_HTML = /\{\{(?:\{|&)(?!\s*unsubscribe_(?:link|url)\b)/;
const UNSUBSCRIBE_URL = /^\{\{\{?\s*unsubscribe_url\s*\}?\}\}$/;

/** Returns false for a source whose mails certainly contain no link that tracking rewrites. */
export function mayHaveTrackedLink(source: string): boolean {
  if (PRINTED_HTML.test(source)) return true;
  return findElements(source).links.some(
    ({ url, isTrackable }) =>
      isTrackable || (url.includes("{{") && !UNSUBSCRIBE_URL.test(url.trim())),
  );
}

const isWeb = (url: string) => /^https?:/i.test(url);

function privateReason({ config }: Pick<Deps, "config">, url: string): Message | undefined {
  if (!isWeb(url)) return undefined;
  const checked = checkUrl(asOpened(url), { allowPrivate: config.allowPrivateTargets });
  return checked.ok ? undefined : checked.reason;
}

/** Returns a web link as mail clients open it: with spaces encoded as `%20`. */
const asOpened = (url: string) => new URL(url).href;

/** The fragment does not affect the page. A link within the mail itself stays unchanged. */
const withoutFragment = (url: string) => (url.startsWith("#") ? url : url.replace(/#.*$/s, ""));

/** Returns the problems of links that can be found without a network request. */
export function judgeLinks({ web, faults }: MailLinks): Problem[] {
  const plain = web.filter((url) => /^http:/i.test(url));
  return [
    ...aboutLinks("invalid_link", faults),
    ...aboutLinks(
      "link_not_https",
      plain.map((url) => ({ url })),
    ),
  ];
}

/** The result of requesting links; `asked` are the first ones, up to a limit. */
export interface LinkReport {
  asked: number;
  problems: Problem[];
}

/** Requests the links, five at a time, for at most 20 seconds. */
export async function checkLinks(deps: Deps, { web }: MailLinks): Promise<LinkReport> {
  const asked = web.slice(0, LINKS_MAX);
  const states = await probeAll(deps, asked);
  const of = (kind: "broken" | "unclear") =>
    asked.flatMap((url, index) => {
      const state = states[index];
      return state?.kind === kind ? [{ url, why: state.why }] : [];
    });
  const left = web.length - asked.length;
  return {
    asked: asked.length,
    problems: [
      ...aboutLinks("broken_link", of("broken")),
      ...aboutLinks("link_unclear", of("unclear")),
      ...(left === 0 ? [] : [problem("links_left_out", { count: left })]),
    ],
  };
}

async function probeAll(deps: Deps, urls: string[]): Promise<LinkState[]> {
  const end = AbortSignal.timeout(ALL_TIMEOUT_MS);
  const states: LinkState[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < urls.length; at = next++)
      states[at] = await probeLink(deps, asOpened(urls[at] ?? ""), end);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, urls.length) }, work));
  return states;
}

/** Returns one problem about all these links that lists the first ones; none without links. */
function aboutLinks(
  code: "invalid_link" | "link_not_https" | "broken_link" | "link_unclear",
  links: BadLink[],
): Problem[] {
  if (links.length === 0) return [];
  const named = links.slice(0, NAMED_MAX).map(({ url, why }): Param => {
    const shown = url === "" ? preflightReason("no_url") : cutText(url, NAMED_CHARACTERS_MAX);
    return why === undefined ? shown : preflightReason("link_because", { url: shown, reason: why });
  });
  const names = listed(named);
  const count = links.length - named.length;
  return [
    problem(code, { links: count > 0 ? messageFrom(LISTS, "and_more", { names, count }) : names }),
  ];
}
