/*
 * Messages between the three parts of `npm run mutate`:
 *
 *   scripts/mutate.ts  ── Job (a file) ──▶  run-tests.ts  ── Plan (provide/inject) ──▶  in-test.ts
 *                      ◀───────────── lines with a Report, on standard output ─────────────
 */

/** One change of the code. */
export interface Mutant {
  id: string;
  file: string;
  line: number;
  mutator: string;
  original: string;
  replacement: string;
}

/** A test run over some mutants. */
export interface Job {
  /** In Node.js, a test that fails without a mutant is left out: it needs Workers. */
  inNode: boolean;
  /** Test files by name; empty: every test file that imports one of `related`. */
  tests: string[];
  /** A regular expression for the titles of the tests to run; undefined: all of them. */
  titles: string | undefined;
  related: string[];
  todo: string[];
}

/** Instructions for one run of one test file. */
export type Plan =
  /** Repeats each test for each mutant of `todo` that it reaches, without its known survivors. */
  | { mode: "repeat"; todo: string[]; survivors: Record<string, string[]>; mayFail: boolean }
  /**
   * Runs the file from its first import with this one mutant, up to the first failure: the tests
   * with these ids, or with `skips` all except those.
   */
  | { mode: "fresh"; mutant: string; tests: string[]; skips: boolean };

export type Report =
  /** This mutant is active from now on: if the process hangs, this mutant is the cause. */
  | { event: "try"; mutant: string; test: string }
  | { event: "killed"; mutant: string; test: string }
  /** A test that reaches mutated code, by its id. */
  | { event: "reaches"; test: string }
  /** A test, by its id, or a file ran with these mutants and did not notice. */
  | { event: "survived"; mutants: string[]; test: string }
  /** Reached only once in a runtime: while the file loaded, or before a cache was filled. */
  | { event: "loaded"; mutants: string[] }
  /** A test, by its id, that fails without any mutant and may do so. */
  | { event: "left out"; test: string }
  /** A test fails without any mutant: later reports of the file do not count. */
  | { event: "broken"; test: string; why: string }
  /** The attempts left something behind: the rest of the file needs a fresh run. */
  | { event: "dirty" }
  | { event: "fault"; why: string }
  | { event: "done" };

const MARK = "@mutate ";

export function formatReport(report: Report): string {
  return `${MARK}${JSON.stringify(report)}`;
}

export function parseReport(line: string): Report | undefined {
  const at = line.indexOf(MARK);
  return at === -1 ? undefined : (JSON.parse(line.slice(at + MARK.length)) as Report);
}

declare module "vitest" {
  interface ProvidedContext {
    mutation: Plan;
  }
}
