// Prints the failed tests of vitest's JSON report, and then one line: "N passed, N failed[, N
// skipped]". Fails if there are no tests.
import { existsSync, readFileSync } from "node:fs";
import { errorLine } from "./lib/error-line.ts";

interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

const [file = ""] = process.argv.slice(2);
if (existsSync(file)) {
  const report: TestReport = JSON.parse(readFileSync(file, "utf8"));
  for (const line of failuresOf(report)) process.stdout.write(`${line}\n`);
  process.stdout.write(`${formatCounts(report)}\n`);
} else {
  process.stdout.write("0 passed, 1 failed\n");
  process.exitCode = 1;
}

/** Lists failed tests with the error of each attempt, and files that failed to load. */
function failuresOf({ testResults }: TestReport): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    const file = name.replace(`${process.cwd()}/`, "");
    if (status === "failed" && failed.length === 0) return [`FAILED: ${file}`];
    return failed.flatMap(({ fullName, failureMessages }) =>
      failureMessages.map((message) => `FAILED: ${file} > ${fullName}: ${errorLine(message)}`),
    );
  });
}

function formatCounts(report: TestReport): string {
  // A file that fails to load has no failed tests, but must count as a failure.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  const skipped = report.numPendingTests + report.numTodoTests;
  const counts = `${report.numPassedTests} passed, ${failed} failed`;
  return skipped > 0 ? `${counts}, ${skipped} skipped` : counts;
}
