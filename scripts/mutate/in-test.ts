/*
 * The first set-up file of each test file, inside its runtime. The instrumented code asks
 * `globalThis.__stryker__` for the active mutant, so one runtime can try many mutants. A test first
 * runs without a mutant, which shows the mutants it reaches, and then once for each of those. After
 * each kill the test runs without a mutant again: if it fails, the mutant left something behind.
 */
import {
  afterAll,
  aroundEach,
  beforeAll,
  inject,
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestSuite,
} from "vitest";
// The newer `TestRunner.setTestFn` of vitest 4.1 reads the function instead of setting it.
import { getFn, setFn } from "vitest/suite";
import { formatReport, type Report } from "./protocol.ts";

/** The instrumented code defines these names. */
interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: {
    static: Record<string, number>;
    perTest: Record<string, Record<string, number>>;
  };
}

interface Progress {
  /** The mutant of the current attempt; undefined in a control. */
  active: string | undefined;
  startedAt: number;
  /** Duration of the first control. */
  controlMs: number | undefined;
  queue: string[];
  tried: string[];
  /** True when the attempt reached its mutant. */
  isHit: boolean;
}

/** Number of visits above which an attempt counts as an endless loop. */
const HIT_LIMIT = 100_000;
const CONTROL = "control";
/** Extra time of an attempt compared with the test without a mutant. */
const SLACK = { factor: 5, ms: 1_000 };

const plan = inject("mutation");
const stryker: Switch = ((globalThis as { __stryker__?: Switch }).__stryker__ ??= {});
const killed = new Set<string>();
const progressOf = new Map<string, Progress>();
let isStopped = false;

if (plan.mode === "fresh") {
  activate(plan.mutant);
  runSome(new Set(plan.tests), plan.skips);
} else {
  repeatTests(new Set(plan.todo), plan.mayFail);
}

/** Runs only these tests, or all except these, up to the first failure. */
function runSome(tests: Set<string>, skips: boolean): void {
  aroundEach(async (runTest, { task }) => {
    if (isStopped || tests.has(task.id) === skips) {
      endTest(task);
      return;
    }
    await runTest();
    isStopped = task.result?.state === "fail";
  });
}

function repeatTests(todo: Set<string>, mayFail: boolean): void {
  /** Mutants reached only without a mutant: the result was kept, as by a cache. */
  const kept = new Set<string>();
  const isLoaded = (mutant: string) => mutant in (stryker.mutantCoverage?.static ?? {});

  // oxlint-disable-next-line no-empty-pattern -- vitest reads fixtures from this pattern
  beforeAll(({}, file) => {
    for (const test of testsOf(file)) {
      test.repeats = Number.MAX_SAFE_INTEGER;
      test.retry = 0;
      const run = getFn(test);
      setFn(test, () => withDeadline(run(), progressOf.get(test.id)));
    }
  });

  aroundEach(async (runTest, { task }) => {
    const progress = progressOf.get(task.id) ?? startProgress(task.id);
    const isOver = isStopped || !chooseAttempt(task, progress);
    if (isOver) {
      const survived = progress.tried.filter((id) => !killed.has(id));
      if (survived.length > 0) report({ event: "survived", mutants: survived });
      endTest(task);
      return;
    }
    const { result } = task as RunnerTask;
    if (result) Object.assign(result, { state: "run", errors: undefined });
    progress.startedAt = performance.now();
    activate(progress.active, task.name);
    stryker.currentTestId = progress.active === undefined ? CONTROL : task.id;
    await runTest();
    stryker.currentTestId = undefined;
    progress.isHit = (stryker.hitCount ?? 0) > 0;
    activate(undefined);
  });

  afterAll(() => {
    report({ event: "loaded", mutants: [...todo].filter((id) => isLoaded(id) || kept.has(id)) });
  });

  /** Judges the last attempt and sets the next one; false when none is left. */
  function chooseAttempt(task: RunnerTask, progress: Progress): boolean {
    const hasRun = progress.startedAt > 0;
    const hasFailed = hasRun && task.result?.state === "fail";
    if (hasRun && progress.active === undefined) {
      const isFirst = progress.controlMs === undefined;
      if (hasFailed && isFirst && mayFail) {
        report({ event: "left out", test: task.id });
        return false;
      }
      if (hasFailed && isFirst) {
        const why = task.result?.errors?.[0]?.message ?? "";
        report({ event: "broken", test: task.name, why });
      } else if (hasFailed) report({ event: "dirty" });
      isStopped ||= hasFailed;
      if (hasFailed) return false;
      if (isFirst) {
        progress.controlMs = performance.now() - progress.startedAt;
        const reached = Object.keys(stryker.mutantCoverage?.perTest[CONTROL] ?? {});
        if (reached.length > 0) report({ event: "reaches", test: task.id });
        progress.queue = reached.filter((id) => todo.has(id) && !killed.has(id) && !isLoaded(id));
      }
      if (stryker.mutantCoverage) stryker.mutantCoverage.perTest = {};
    }
    if (hasFailed && progress.active !== undefined) {
      killed.add(progress.active);
      report({ event: "killed", mutant: progress.active, test: task.name });
      progress.active = undefined; // a control follows
      return true;
    }
    if (!hasRun) return true;
    if (progress.active !== undefined && !progress.isHit) kept.add(progress.active);
    progress.active = progress.queue.shift();
    if (progress.active !== undefined) progress.tried.push(progress.active);
    return progress.active !== undefined;
  }
}

function startProgress(id: string): Progress {
  const fresh = {
    active: undefined,
    startedAt: 0,
    controlMs: undefined,
    queue: [],
    tried: [],
    isHit: false,
  };
  progressOf.set(id, fresh);
  return fresh;
}

/** Ends the repeats of a test: the runner stops at a test that reports itself as pending. */
function endTest(task: RunnerTask): void {
  Object.assign(task.result ?? {}, { state: "skip", pending: true });
}

function activate(mutant: string | undefined, test = "load"): void {
  stryker.activeMutant = mutant;
  stryker.hitCount = 0;
  stryker.hitLimit = HIT_LIMIT;
  if (mutant !== undefined) report({ event: "try", mutant, test });
}

async function withDeadline(running: unknown, progress: Progress | undefined): Promise<void> {
  if (progress?.controlMs === undefined) {
    await running;
    return;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise((_resolve, reject) => {
    const ms = (progress.controlMs ?? 0) * SLACK.factor + SLACK.ms;
    timer = setTimeout(() => reject(new Error(`took longer than ${ms} ms`)), ms);
  });
  try {
    await Promise.race([running, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

function testsOf(suite: Readonly<RunnerTestSuite>): RunnerTestCase[] {
  return suite.tasks.flatMap((task) => (task.type === "suite" ? testsOf(task) : [task]));
}

function report(message: Report): void {
  // oxlint-disable-next-line no-console -- the only way out of the Workers runtime while a loop runs
  console.log(formatReport(message));
}
