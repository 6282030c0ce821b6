import type { Deps } from "../../deps.ts";
import { cutText } from "../../lib/cut-text.ts";
import { findElements } from "../../mail/html/find-elements.ts";
import { faultOfLink } from "../../mail/html/judge-link.ts";
import { LISTS } from "../../messages/lists.ts";
import { messageFrom, type Message, type Param } from "../../messages/message.ts";
import { listed, preflightReason } from "../../messages/preflight.ts";
import { probeLink, type LinkState } from "./probe-link.ts";
import { problem, type Problem } from "./problems.ts";

/** The limits of one link check. Workers open at most six connections at once. */
const LINKS_MAX = 50;
const AT_ONCE = 5;
const ALL_TIMEOUT_MS = 20_000;

/** The number of links that the message of a problem lists. */
const NAMED_MAX = 5;
const NAMED_CHARACTERS_MAX = 200;

/** A link with the state of its page; undefined if it was not requested. */
export interface ProbedLink {
  url: string;
  state: LinkState | undefined;
}

/**
 * Finds the distinct links in the sources of templates. Leaves out links with variables, which are
 * personal and must not be requested.
 */
export function findLinks(sources: readonly string[]): string[] {
  const urls = sources.flatMap((html) => findElements(html).links.map(({ url }) => pageOf(url)));
  return [...new Set(urls)].filter((url) => !url.includes("{{"));
}

/** Returns a link without its fragment, except a link within the mail itself. */
const pageOf = (url: string) => (url.startsWith("#") ? url : url.replace(/#.*$/s, ""));

/** Requests the web pages among these links, five at a time, for at most 20 seconds. */
export async function probeLinks(deps: Deps, links: readonly string[]): Promise<ProbedLink[]> {
  const web = links.filter((url) => /^https?:/i.test(url) && faultOfLink(url) === undefined);
  const probed = web.map((url): ProbedLink => ({ url, state: undefined }));
  const left = probed.slice(0, LINKS_MAX).values();
  const end = AbortSignal.timeout(ALL_TIMEOUT_MS);
  const work = async () => {
    // `href` encodes spaces as mail clients do.
    for (const link of left) link.state = await probeLink(deps, new URL(link.url).href, end);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return probed;
}

/** Returns the problems of links that can be found without a network request. */
export function judgeLinks(links: readonly string[]): Problem[] {
  return [
    ...aboutLinks("invalid_link", links, faultOfLink),
    ...aboutLinks("link_not_https", links, (url) => (/^http:/i.test(url) ? "" : undefined)),
  ];
}

/** Returns the problems of the pages of links. */
export function judgePages(probed: readonly ProbedLink[]): Problem[] {
  const states = new Map(probed.map(({ url, state }) => [url, state]));
  const whyOf = (kind: "broken" | "unclear") => (url: string) => {
    const state = states.get(url) ?? NOT_ASKED;
    return state.kind === kind ? state.why : undefined;
  };
  const links = [...states.keys()];
  return [
    ...aboutLinks("broken_link", links, whyOf("broken")),
    ...aboutLinks("link_unclear", links, whyOf("unclear")),
  ];
}

const NOT_ASKED: LinkState = {
  kind: "unclear",
  why: preflightReason("link_not_asked", { max: LINKS_MAX }),
};

/**
 * Returns one problem about all links with a reason, which lists the first ones; none without such
 * links. An empty reason is not shown.
 */
function aboutLinks(
  code: "invalid_link" | "link_not_https" | "broken_link" | "link_unclear",
  links: readonly string[],
  reasonOf: (url: string) => Message | "" | undefined,
): Problem[] {
  const found = links.flatMap((link): Param[] => {
    const reason = reasonOf(link);
    if (reason === undefined) return [];
    const url = cutText(link === "" ? '""' : link, NAMED_CHARACTERS_MAX);
    return [reason === "" ? url : preflightReason("link_because", { url, reason })];
  });
  if (found.length === 0) return [];
  const names = listed(found.slice(0, NAMED_MAX));
  const count = found.length - NAMED_MAX;
  return [
    problem(code, { links: count > 0 ? messageFrom(LISTS, "and_more", { names, count }) : names }),
  ];
}
