import type { AbPlan, VariantOutcome } from "../../../db/schema/index.ts";

/** Returns the display letter of a variant. */
export const variantLetter = (n: number): string => String.fromCodePoint("A".charCodeAt(0) + n);

/** The verdict on an A/B test: the leading variant, and the certainty of its lead. */
export interface Judgement {
  leader: number;
  /**
   * The probability that the leader is better than the runner-up, from 0.5 to 1. Null if no mail
   * had a success.
   */
  certainty: number | null;
  /** The verdict in a sentence or two. */
  words: string;
}

/** The certainties above which a leader counts as better, and as probably better. */
const SURE = 0.95;
const LIKELY = 0.8;

/**
 * Compares the variants of an A/B test by the share of mails with a success. On a tie, the first
 * one leads.
 */
export function judgeAbTest(outcomes: VariantOutcome[], by: AbPlan["by"]): Judgement {
  const metric = by === "clicks" ? "clicked" : "opened";
  const ranked = outcomes
    .map((outcome, n) => ({ n, mailed: outcome.mailed, hits: outcome[metric] }))
    .toSorted((a, b) => rateOf(b) - rateOf(a) || a.n - b.n);
  const [first, second] = ranked;
  if (!first || !second) throw new Error("an A/B test has at least two variants");
  if (first.hits === 0) {
    const words = `No one ${metric} an email of the A/B test, so nothing is known about the variants.`;
    return { leader: first.n, certainty: null, words };
  }
  const certainty = chanceOfBetter(first, second);
  const facts = `${variantLetter(first.n)} was ${metric} by ${percent(rateOf(first))} of ${first.mailed} people, ${variantLetter(second.n)} by ${percent(rateOf(second))} of ${second.mailed}.`;
  return { leader: first.n, certainty, words: `${facts} ${verdictOf(first.n, certainty)}` };
}

interface Result {
  mailed: number;
  hits: number;
}

const rateOf = ({ mailed, hits }: Result) => (mailed === 0 ? 0 : hits / mailed);
const percent = (part: number) => `${(part * 100).toFixed(1)}%`;

function verdictOf(leader: number, certainty: number): string {
  const name = variantLetter(leader);
  const chance = `${Math.min(99, Math.floor(certainty * 100))}%`;
  if (certainty >= SURE) return `${name} is better with ${chance} certainty.`;
  if (certainty >= LIKELY)
    return `${name} is probably better (${chance}), but the difference could be due to chance.`;
  return `The difference may well be due to chance: ${name} is better with only ${chance} certainty.`;
}

/**
 * Returns the probability that the true rate of one result exceeds that of another: the normal
 * approximation of two beta distributions with a uniform prior.
 */
function chanceOfBetter(one: Result, other: Result): number {
  const [a, b] = [beta(one), beta(other)];
  return normal((a.mean - b.mean) / Math.sqrt(a.variance + b.variance));
}

function beta({ mailed, hits }: Result) {
  const [yes, no] = [hits + 1, Math.max(0, mailed - hits) + 1];
  const all = yes + no;
  return { mean: yes / all, variance: (yes * no) / (all * all * (all + 1)) };
}

/** Returns the standard normal cumulative distribution at z (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z));
  const series =
    t *
    (0.319_381_53 +
      t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z >= 0 ? 1 - tail : tail;
}
