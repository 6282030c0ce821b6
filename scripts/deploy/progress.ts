import { OperatorError } from "../command-line.ts";

/** Result of a step, and its description for the report. */
export interface StepResult<Value> {
  did: string;
  value: Value;
}

/** Runs steps in order and reports each. */
export interface Progress {
  /** Runs one step. Throws OperatorError that also lists the remaining steps. */
  step: <Value>(name: string, run: () => Promise<StepResult<Value>>) => Promise<Value>;
}

const PAD = 12;

export function startProgress(names: readonly string[], say: (line: string) => void): Progress {
  const done: string[] = [];
  return {
    step: async (name, run) => {
      if (names[done.length] !== name) throw new Error(`${name} is not step ${done.length + 1}`);
      try {
        const { did, value } = await run();
        say(`ok      ${name.padEnd(PAD)} ${did}`);
        done.push(name);
        return value;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        say(`FAILED  ${name.padEnd(PAD)} ${error.message}`);
        throw new OperatorError(describeRest(done, names), { cause: error });
      }
    },
  };
}

function describeRest(done: string[], names: readonly string[]): string {
  const left = names.slice(done.length);
  return [
    `Done: ${done.join(", ") || "nothing"}. Remaining: ${left.join(", ")}.`,
    "Completed steps are kept: fix the cause, then run the command again.",
  ].join("\n");
}
