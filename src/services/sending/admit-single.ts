import type { Deps } from "../../deps.ts";
import { refusal, type AppError } from "../../errors.ts";
import type { VersionedLimits } from "../../lib/permits/permit-messages.ts";
import { limitsRate } from "../../lib/permits/sending-limits.ts";
import { askPermits, expectUnavailable } from "./ask-permits.ts";

/** Returns the refusal of a single send that would have to wait for a limit of its server. */
export function heldBackError(waitMs: number): AppError {
  return refusal(
    "mail_server_limit_reached",
    {},
    { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) },
  );
}

/**
 * Waits for the permit of a mail that its Worker sends without the hub. The rate may be limited by
 * the project, or by what its object has learned. Throws rate_limited when the wait would be long,
 * and 503 when nobody answers for a rate that the project limits. Otherwise an object that
 * fails holds up nothing.
 */
export async function admitSingle(
  deps: Pick<Deps, "limiter">,
  projectId: string,
  { name, recipients, limits }: { name: string; recipients: string[]; limits: VersionedLimits },
): Promise<void> {
  try {
    const waitMs = await askPermits(deps, projectId, (object) =>
      object.admitSingle(name, recipients, limits),
    );
    if (waitMs > 0) throw heldBackError(waitMs);
  } catch (error) {
    if (limitsRate(limits.limits)) throw error;
    expectUnavailable(error);
  }
}
