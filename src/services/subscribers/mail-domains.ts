import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { resolveMx } from "../../lib/resolve-mx.ts";

/** The timeout after which an import gives up on a resolver (API reference §12.2). */
const ANSWER_TIMEOUT_MS = 2_000;
/** The cache lifetime of MX answers: a day (API reference §12.2). */
const CACHE_SECONDS = 86_400;

/** The platform's limit of concurrent connections per invocation, including KV. */
const CONNECTIONS = 6;
/**
 * The maximum number of domains that one import looks up, those with the most rows first. Rows of
 * other domains pass unchecked.
 */
const MAX_DOMAINS = 1_000;
/**
 * The maximum number of DNS queries and cache writes per import. The platform allows 1,000
 * subrequests in total, and D1 and cache reads need some of them.
 */
const MAX_SUBREQUESTS = 900;
/**
 * Subrequests reserved for the domains in progress. Each needs at most MX, A, AAAA and a cache
 * write.
 */
const SUBREQUESTS_RESERVED = 4 * CONNECTIONS;
/**
 * The number of consecutive queries without a response after which the resolver counts as
 * unreachable.
 */
const MAX_BROKEN_IN_ROW = 6;
/** The maximum total time for which an import queries a slow resolver. */
const MAX_LOOKUP_MS = 30_000;

/** Keys per bulk read (documented maximum of KV). */
const KEYS_PER_READ = 100;

/** The cached part of an answer; "unknown" is never cached. */
type Kept = "takes_mail" | "no_mail";

const cacheKey = (domain: string) => `mx:${domain}`;

/**
 * Returns the domains that certainly accept no mail. The given domains are sorted by weight.
 * Domains that could not be checked, because a resolver or cache fails, is slow or has too many to
 * answer, are not returned.
 */
export async function findDomainsWithoutMail(deps: Deps, domains: string[]): Promise<Set<string>> {
  const asked = domains.slice(0, MAX_DOMAINS);
  const known = await readKept(deps, asked);
  const questions = asked.filter((domain) => !known.has(domain));
  const answers = await askAll(deps, questions);
  return new Set(
    [...known, ...answers].filter(([, kept]) => kept === "no_mail").map(([domain]) => domain),
  );
}

async function readKept(deps: Deps, domains: string[]): Promise<Map<string, Kept>> {
  const known = new Map<string, Kept>();
  try {
    for (let at = 0; at < domains.length; at += KEYS_PER_READ) {
      const some = domains.slice(at, at + KEYS_PER_READ);
      const values = await deps.kv.get(some.map(cacheKey));
      for (const domain of some) {
        const value = values.get(cacheKey(domain));
        if (value === "takes_mail" || value === "no_mail") known.set(domain, value);
      }
    }
  } catch (error) {
    warnOfCache(error);
  }
  return known;
}

/**
 * Runs DNS queries over a few connections until every domain has an answer, the resolver fails, or
 * a limit is reached.
 */
async function askAll(deps: Deps, domains: string[]): Promise<Map<string, Kept>> {
  const answers = new Map<string, Kept>();
  const waiting = domains.values();
  const bounds = openBounds(deps);
  const { fetch } = bounds;
  const resolver = { fetch, url: deps.config.dohUrl, timeoutMs: ANSWER_TIMEOUT_MS };
  let cacheFault: unknown;
  const connection = async () => {
    while (bounds.mayGoOn()) {
      const { value: domain, done } = waiting.next();
      if (done) return;
      const verdict = await resolveMx(resolver, domain);
      if (verdict === "no_answer") bounds.stop();
      if (verdict === "unknown" || verdict === "no_answer") continue;
      answers.set(domain, verdict);
      bounds.countSubrequest();
      await keep(deps, domain, verdict).catch((error: unknown) => (cacheFault ??= error));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  if (cacheFault !== undefined) warnOfCache(cacheFault);
  const unanswered = domains.length - answers.size;
  if (unanswered > 0) logLine("warn", "mx_unanswered", { unanswered, asked: domains.length });
  return answers;
}

/** Returns all limits on the DNS queries of one import, and a `fetch` that enforces them. */
function openBounds(deps: Deps) {
  const until = deps.now() + MAX_LOOKUP_MS;
  let subrequests = 0;
  let brokenInRow = 0;
  let stopped = false;
  const countedFetch: typeof fetch = async (input, init) => {
    subrequests += 1;
    try {
      const response = await deps.fetch(input, init);
      brokenInRow = 0;
      return response;
    } catch (error) {
      brokenInRow += 1;
      throw error;
    }
  };
  return {
    fetch: countedFetch,
    countSubrequest: () => {
      subrequests += 1;
    },
    stop: () => {
      stopped = true;
    },
    mayGoOn: () =>
      !stopped &&
      brokenInRow < MAX_BROKEN_IN_ROW &&
      subrequests <= MAX_SUBREQUESTS - SUBREQUESTS_RESERVED &&
      deps.now() < until,
  };
}

async function keep(deps: Deps, domain: string, verdict: Kept): Promise<void> {
  await deps.kv.put(cacheKey(domain), verdict, { expirationTtl: CACHE_SECONDS });
}

function warnOfCache(error: unknown): void {
  logLine("warn", "mx_cache_failed", { error: errorText(error) });
}
