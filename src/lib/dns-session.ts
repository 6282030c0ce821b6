import { askDns, type DnsAnswer, type DnsResolver, type DnsType } from "./ask-dns.ts";

/** Sends one query. Never throws. */
export type AskDns = (name: string, type: DnsType) => Promise<DnsAnswer>;

export interface DnsBounds {
  maxQuestions: number;
  maxAtOnce: number;
  /** Time limit of all queries together. */
  maxMs: number;
}

/** DNS queries of one task, which share their limits. */
export interface DnsSession {
  ask: AskDns;
  /** Returns the number of queries sent. */
  asked: () => number;
}

/**
 * Opens a session. Each query is sent once. A query beyond the limits is not sent, and returns
 * `no_answer`.
 */
export function openDnsSession(
  resolver: Pick<DnsResolver, "fetch" | "url">,
  { maxQuestions, maxAtOnce, maxMs }: DnsBounds,
): DnsSession {
  const endsAt = performance.now() + maxMs;
  const answers = new Map<string, Promise<DnsAnswer>>();
  const waiting: (() => void)[] = [];
  let atOnce = 0;

  async function askInTurn(name: string, type: DnsType): Promise<DnsAnswer> {
    if (atOnce < maxAtOnce) atOnce += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const timeoutMs = Math.floor(endsAt - performance.now());
      if (timeoutMs <= 0) return { kind: "no_answer" };
      return await askDns({ ...resolver, timeoutMs }, name, type);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else atOnce -= 1;
    }
  }

  const ask: AskDns = (name, type) => {
    const question = `${type} ${name}`;
    const known = answers.get(question);
    if (known) return known;
    if (answers.size >= maxQuestions) return Promise.resolve({ kind: "no_answer" });
    const answer = askInTurn(name, type);
    answers.set(question, answer);
    return answer;
  };
  return { ask, asked: () => answers.size };
}

/** Returns a function that sends at most `maxQuestions` different queries of a session. */
export function askAtMost(ask: AskDns, maxQuestions: number): AskDns {
  const questions = new Set<string>();
  return async (name, type) => {
    const question = `${type} ${name}`;
    if (!questions.has(question) && questions.size >= maxQuestions) return { kind: "no_answer" };
    questions.add(question);
    return ask(name, type);
  };
}
