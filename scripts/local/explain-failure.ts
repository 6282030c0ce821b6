import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../command-line.ts";
import { UnansweredError } from "./service-client.ts";
import type { ServiceLog } from "./service-log.ts";

/** Time between the last answer of a service that ends and its exit. */
const EXIT_WAIT_MS = 3_000;

/**
 * Throws the cause of a set-up that failed. A service that ends breaks a call before its exit is
 * known: its own failure comes first, else the call's with the lines that the service wrote.
 */
export async function throwCause(
  error: unknown,
  service: { failed: Promise<never> },
  log: ServiceLog,
  exitWaitMs = EXIT_WAIT_MS,
): Promise<never> {
  if (!(error instanceof UnansweredError)) throw error;
  await Promise.race([service.failed, delay(exitWaitMs, undefined, { ref: false })]);
  throw new OperatorError(`${log.heldBack()}\n${error.message}`);
}
