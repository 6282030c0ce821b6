import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../command-line.ts";
import { createServiceClient, describeRefusal } from "./service-client.ts";

/** The service responds: it is healthy, or it reports why it cannot work. */
export type ServiceHealth = { outcome: "healthy" } | { outcome: "refusing"; reason: string };

const POLL_INTERVAL_MS = 100;
const START_TIMEOUT_MS = 90_000;
/** How long a responding but unhealthy service may take to become healthy. */
const SETTLE_TIME_MS = 3_000;

/** Waits until GET /health responds. Throws OperatorError on timeout. */
export async function waitForHealth(address: string, signal: AbortSignal): Promise<ServiceHealth> {
  const call = createServiceClient(address);
  const startedAt = Date.now();
  let firstRefusalAt: number | undefined;
  let last = "no response";
  while (Date.now() - startedAt < START_TIMEOUT_MS) {
    signal.throwIfAborted();
    try {
      const answer = await call("GET", "/health");
      if (answer.status === 200) return { outcome: "healthy" };
      last = describeRefusal(answer);
      firstRefusalAt ??= Date.now();
    } catch (error) {
      last = String(error);
    }
    if (firstRefusalAt !== undefined && Date.now() - firstRefusalAt > SETTLE_TIME_MS) {
      return { outcome: "refusing", reason: last };
    }
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
  throw new OperatorError(
    `the service did not start within ${START_TIMEOUT_MS / 1000} s (${last})`,
  );
}
