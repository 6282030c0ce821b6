// Prints one line about vitest's JSON report: "N passed, N failed[, N skipped]". Fails without any
// test.
import { existsSync, readFileSync } from "node:fs";

interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

const [file = ""] = process.argv.slice(2);
if (existsSync(file)) {
  process.stdout.write(`${formatCounts(JSON.parse(readFileSync(file, "utf8")))}\n`);
} else {
  process.stdout.write("0 passed, 1 failed\n");
  process.exitCode = 1;
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
