import { askDns, type DnsAnswer, type DnsResolver, type DnsType } from "./ask-dns.ts";

/** Asks one question. Never throws. */
export type AskDns = (name: string, type: DnsType) => Promise<DnsAnswer>;

export interface DnsBounds {
  maxQuestions: number;
  maxAtOnce: number;
  /** The time for all questions together. */
  maxMs: number;
}

/** The questions of one piece of work, which share their bounds. */
export interface DnsSession {
  ask: AskDns;
  /** Returns the number of questions that the resolver was asked. */
  asked: () => number;
}

/**
 * Opens a session. Each question goes to the resolver once. A question beyond the bounds is not
 * asked, and its answer is `no_answer`.
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

/** Returns a function that asks at most `maxQuestions` different questions of a session. */
export function askAtMost(ask: AskDns, maxQuestions: number): AskDns {
  const questions = new Set<string>();
  return async (name, type) => {
    const question = `${type} ${name}`;
    if (!questions.has(question) && questions.size >= maxQuestions) return { kind: "no_answer" };
    questions.add(question);
    return ask(name, type);
  };
}
