import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Lets a signal end this process through its exit, which runs the clean-ups of "exit". Returns a
 * function that takes this back.
 */
export function exitOnSignals(): () => void {
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.once(signal, exit);
  return () => {
    for (const signal of SIGNALS) process.off(signal, exit);
  };
}
