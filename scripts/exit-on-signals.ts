import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Makes signals end this process through `process.exit`, which runs the "exit" handlers. Returns a
 * function that reverts this.
 */
export function exitOnSignals(): () => void {
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.once(signal, exit);
  return () => {
    for (const signal of SIGNALS) process.off(signal, exit);
  };
}
