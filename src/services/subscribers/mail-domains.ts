import type { App } from "../../app.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { resolveMx } from "../../lib/resolve-mx.ts";

/** API reference §12.2: a resolver that does not answer by then is asked no more in this import. */
const ANSWER_TIMEOUT_MS = 2_000;
/** API reference §12.2: MX answers are kept for a day. */
const CACHE_SECONDS = 86_400;

/** The platform's simultaneous connections an invocation, KV included. */
const CONNECTIONS = 6;
/** Domains looked up in one import, those of most rows first; rows of the others are taken as they are. */
const MAX_DOMAINS = 1_000;
/** Questions and cache writes of one import: the platform allows 1,000 in all, and D1 and reads need some. */
const MAX_SUBREQUESTS = 900;
/** One domain needs at most MX, A, AAAA and a cache write; so much is kept for those in hand. */
const SUBREQUESTS_IN_HAND = 4 * CONNECTIONS;
/** After so many questions in a row that got no response at all, the resolver is out of reach. */
const MAX_BROKEN_IN_ROW = 6;
/** A resolver that answers, but slowly, is asked for no longer than this. */
const MAX_LOOKUP_MS = 30_000;

/** Keys of one bulk read (documented maximum of KV). */
const KEYS_PER_READ = 100;

/** What is kept of an answer; "unknown" is never kept. */
type Kept = "takes_mail" | "no_mail";

const cacheKey = (domain: string) => `mx:${domain}`;

/**
 * Of these domains, given in order of weight, the ones that certainly take no mail.
 * A resolver or cache that fails, is slow or has too many to answer never makes a domain one of them.
 */
export async function findDomainsWithoutMail(app: App, domains: string[]): Promise<Set<string>> {
  const asked = domains.slice(0, MAX_DOMAINS);
  const known = await readKept(app, asked);
  const questions = asked.filter((domain) => !known.has(domain));
  const answers = await askAll(app, questions);
  return new Set(
    [...known, ...answers].filter(([, kept]) => kept === "no_mail").map(([domain]) => domain),
  );
}

async function readKept(app: App, domains: string[]): Promise<Map<string, Kept>> {
  const known = new Map<string, Kept>();
  try {
    for (let at = 0; at < domains.length; at += KEYS_PER_READ) {
      const some = domains.slice(at, at + KEYS_PER_READ);
      const values = await app.kv.get(some.map(cacheKey));
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

/** Asks over a few connections until all is answered, or the resolver or a bound says stop. */
async function askAll(app: App, domains: string[]): Promise<Map<string, Kept>> {
  const answers = new Map<string, Kept>();
  const waiting = domains.values();
  const bounds = openBounds(app);
  const { fetch } = bounds;
  const resolver = { fetch, url: app.config.dohUrl, timeoutMs: ANSWER_TIMEOUT_MS };
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
      await keep(app, domain, verdict).catch((error: unknown) => (cacheFault ??= error));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  if (cacheFault !== undefined) warnOfCache(cacheFault);
  const unanswered = domains.length - answers.size;
  if (unanswered > 0) logLine("warn", "mx_unanswered", { unanswered, asked: domains.length });
  return answers;
}

/** Everything that ends the questions of one import, and a `fetch` that is counted for it. */
function openBounds(app: App) {
  const until = app.now() + MAX_LOOKUP_MS;
  let subrequests = 0;
  let brokenInRow = 0;
  let stopped = false;
  const countedFetch: typeof fetch = async (input, init) => {
    subrequests += 1;
    try {
      const response = await app.fetch(input, init);
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
      subrequests <= MAX_SUBREQUESTS - SUBREQUESTS_IN_HAND &&
      app.now() < until,
  };
}

async function keep(app: App, domain: string, verdict: Kept): Promise<void> {
  await app.kv.put(cacheKey(domain), verdict, { expirationTtl: CACHE_SECONDS });
}

function warnOfCache(error: unknown): void {
  logLine("warn", "mx_cache_failed", { error: errorText(error) });
}
