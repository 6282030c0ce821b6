const MAX_HELD_BACK_LINES = 500;

/** The output of the service: held back while it is being set up, then passed on line by line. */
export interface ServiceLog {
  take: (line: string) => void;
  /** From now on every line is printed; the start-up chatter until here is dropped. */
  passOn: () => void;
  /** What was held back, for when the start fails. */
  heldBack: () => string;
}

/** Makes a log that prints to `print`, each line marked as the service's. */
export function createServiceLog(print: (text: string) => void): ServiceLog {
  let held: string[] = [];
  let isHolding = true;

  const printLine = (line: string) => {
    print(`service │ ${line.replace(/^\[wrangler:info\] /, "")}\n`);
  };
  return {
    take(line) {
      if (line.trim() === "") return;
      // After an error, as in code that does not build, the service may wait for ever: show why.
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
