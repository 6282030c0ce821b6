const MAX_LENGTH = 1500;

/** Returns an error and the first line of the tests in its stack as one line. */
export function errorLine(error: string): string {
  const lines = error.split("\n").map((line) => line.trim());
  const isFrame = (line: string) => line.startsWith("at ");
  const text = lines.filter((line) => line !== "" && !isFrame(line)).join(" ");
  const at = /\(?(?:file:\/\/)?[^\s()]*?(test\/[^\s()]+:\d+):\d+/.exec(
    lines.find((line) => isFrame(line) && line.includes("/test/")) ?? "",
  )?.[1];
  return text.slice(0, MAX_LENGTH) + (at === undefined ? "" : ` (${at})`);
}
