/*
 * The first set-up file of each test file, inside its runtime. The instrumented code asks
 * `globalThis.__stryker__` for the active mutant, so one runtime can try many mutants. A test first
 * runs without a mutant, which shows the mutants it reaches, and then once for each of those. After
 * each failure the test runs without a mutant again. If it passes, the mutant is killed. If it
 * fails, the attempts so far left something behind: a row, or a clock that moved past the end of a
 * session. The file then starts anew and repeats no attempt with a result. The first attempt of a
 * runtime needs no such proof: nothing but its mutant came before it.
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
import { formatReport, type Plan, type Report } from "./protocol.ts";

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
  /** The mutant with which the test failed; the control after it decides about the kill. */
  suspect: string | undefined;
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
/** The attempts with a mutant in this runtime. */
let attempts = 0;
let isStopped = false;

if (plan.mode === "fresh") {
  activate(plan.mutant);
  runSome(new Set(plan.tests), plan.skips);
} else {
  repeatTests(plan);
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

function repeatTests(repeat: Plan & { mode: "repeat" }): void {
  const { survivors, mayFail } = repeat;
  const todo = new Set(repeat.todo);
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
    if (progress.startedAt === 0) return true;
    const hasFailed = task.result?.state === "fail";
    if (progress.active === undefined) {
      if (hasFailed) {
        judgeControl(task, progress);
        return false;
      }
      endControl(task, progress);
    } else if (hasFailed) {
      if (attempts === 1) kill(progress.active, task);
      else progress.suspect = progress.active;
      progress.active = undefined; // a control follows
      return true;
    } else {
      if (!progress.isHit) kept.add(progress.active);
      report({ event: "survived", mutants: [progress.active], test: task.id });
    }
    progress.active = progress.queue.shift();
    if (progress.active !== undefined) attempts += 1;
    return progress.active !== undefined;
  }

  /** Reports a control that failed. */
  function judgeControl(task: RunnerTask, { controlMs }: Progress): void {
    const isFirst = controlMs === undefined;
    if (isFirst && mayFail) {
      report({ event: "left out", test: task.id });
      return;
    }
    isStopped = true;
    const why = task.result?.errors?.[0]?.message ?? "";
    if (isFirst && attempts === 0) report({ event: "broken", test: task.name, why });
    else report({ event: "dirty" });
  }

  /**
   * Notes what a control that passed shows: the mutants it reaches, or that the last one is killed.
   */
  function endControl(task: RunnerTask, progress: Progress): void {
    if (progress.controlMs === undefined) {
      progress.controlMs = performance.now() - progress.startedAt;
      const reached = Object.keys(stryker.mutantCoverage?.perTest[CONTROL] ?? {});
      if (reached.length > 0) report({ event: "reaches", test: task.id });
      const known = new Set(survivors[task.id]);
      progress.queue = reached.filter(
        (id) => todo.has(id) && !killed.has(id) && !known.has(id) && !isLoaded(id),
      );
    }
    if (progress.suspect !== undefined) kill(progress.suspect, task);
    progress.suspect = undefined;
    if (stryker.mutantCoverage) stryker.mutantCoverage.perTest = {};
  }

  function kill(mutant: string, task: RunnerTask): void {
    killed.add(mutant);
    report({ event: "killed", mutant, test: task.name });
  }
}

function startProgress(id: string): Progress {
  const fresh = {
    active: undefined,
    startedAt: 0,
    controlMs: undefined,
    queue: [],
    suspect: undefined,
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
