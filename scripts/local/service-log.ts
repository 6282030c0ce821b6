const MAX_HELD_BACK_LINES = 500;

/**
 * Lines of the runtime about a host that has no address, with a stack of its own machine code. The
 * service logs the same failure with its cause.
 */
const NOISE = /^✘ \[ERROR\] e = .*failed to lookup address|^\s*stack: \S*workerd@/;

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
      if (line.trim() === "" || NOISE.test(line)) return;
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
