const MAX_HELD_BACK_LINES = 500;

/** Output of the service: buffered during setup, then forwarded line by line. */
export interface ServiceLog {
  take: (line: string) => void;
  /** Forwards every line from now on; drops the startup lines. */
  passOn: () => void;
  /** Returns the buffered lines, for a failed start. */
  heldBack: () => string;
}

/** Creates a log that writes to `print` and marks each line as the service's. */
export function createServiceLog(print: (text: string) => void): ServiceLog {
  let held: string[] = [];
  let isHolding = true;

  const printLine = (line: string) => {
    print(`service │ ${line.replace(/^\[wrangler:info\] /, "")}\n`);
  };
  return {
    take(line) {
      if (line.trim() === "") return;
      // After an error, such as code that does not compile, the service may wait forever: show the
      // cause.
      if (isHolding && /ERROR/.test(line)) {
        isHolding = false;
        held.forEach(printLine);
        held = [];
      }
      if (!isHolding) {
        printLine(line);
        return;
      }
      held.push(line);
      if (held.length > MAX_HELD_BACK_LINES) held.shift();
    },
    passOn() {
      isHolding = false;
      held = [];
    },
    heldBack: () => held.join("\n"),
  };
}
