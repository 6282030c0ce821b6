import { causeOf, type Fetch } from "../cloudflare/api.ts";
import { OperatorError } from "../command-line.ts";
import type { Machine } from "./machine.ts";

const POLL_INTERVAL_MS = 2_000;
/** A new domain and its certificate take a few minutes. */
const TIMEOUT_MS = 300_000;
/** An error that outlasts the rollout of a new version does not resolve by itself. */
const REFUSAL_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 10_000;

/** Polls `/health` until it returns 200. Throws OperatorError with the last reason. */
export async function waitForService(
  machine: Pick<Machine, "fetch" | "now" | "say" | "wait">,
  baseUrl: string,
): Promise<void> {
  const startedAt = machine.now();
  let refusedSince: number | undefined;
  for (let isFirst = true; ; isFirst = false) {
    const { outcome, reason } = await askHealth(machine.fetch, baseUrl);
    if (outcome === "healthy") return;
    const now = machine.now();
    if (isFirst) machine.say(`        waiting for ${baseUrl}/health (${reason})…`);
    refusedSince = outcome === "refusing" ? (refusedSince ?? now) : undefined;
    if (refusedSince !== undefined && now - refusedSince >= REFUSAL_TIMEOUT_MS) {
      throw new OperatorError(`the service runs but refuses to work: ${reason}`);
    }
    if (now - startedAt >= TIMEOUT_MS) {
      throw new OperatorError(
        `${baseUrl}/health did not answer within ${TIMEOUT_MS / 60_000} minutes (${reason}). ` +
          "A new name can take longer; `npm run doctor -- --remote` checks again",
      );
    }
    await machine.wait(POLL_INTERVAL_MS);
  }
}

/** Result of one health check. */
export interface HealthAnswer {
  /** "refusing": the service responds with the reason why it is not working. */
  outcome: "healthy" | "refusing" | "silent";
  reason: string;
  /** Response time according to the server's clock. */
  date: string | undefined;
}

/** Checks `/health` once. */
export async function askHealth(send: Fetch, baseUrl: string): Promise<HealthAnswer> {
  try {
    const response = await send(`${baseUrl}/health`, {
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const date = response.headers.get("Date") ?? undefined;
    const body = readObject(await response.text());
    if (response.status === 200 && body?.["status"])
      return { outcome: "healthy", reason: "", date };
    // Only the service returns this JSON; without it, the edge returns an HTML page.
    const error = body?.["error"];
    return typeof error === "string"
      ? { outcome: "refusing", reason: error, date }
      : { outcome: "silent", reason: `a page with status ${response.status}`, date };
  } catch (error) {
    return { outcome: "silent", reason: causeOf(error), date: undefined };
  }
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? { ...body } : undefined;
  } catch {
    // Another server's page.
    return undefined;
  }
}
