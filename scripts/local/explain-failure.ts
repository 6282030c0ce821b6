import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../command-line.ts";
import { UnansweredError } from "./service-client.ts";
import type { ServiceLog } from "./service-log.ts";

/** Maximum time between the last response of a failing service and its exit. */
const EXIT_WAIT_MS = 3_000;

/**
 * Throws the cause of a failed setup. When a service ends, a call fails before the exit is known,
 * so the service's own failure takes precedence over the call's error, which includes the service's
 * output.
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
