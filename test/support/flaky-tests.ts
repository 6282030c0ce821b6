import type { Reporter, TestCase } from "vitest/node";
import { errorLine } from "../../scripts/lib/error-line.ts";

/** Lists the tests that failed at first and passed when repeated, with their first errors. */
export default class FlakyTests implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const [error] = test.result().errors ?? [];
    const reason = errorLine(error?.stack ?? error?.message ?? "");
    this.#lines.push(`FLAKY: ${test.module.relativeModuleId} > ${test.fullName}: ${reason}`);
  }

  onTestRunEnd(): void {
    for (const line of this.#lines) process.stdout.write(`${line}\n`);
  }
}
