import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { VersionedLimits } from "../../lib/permits/permit-messages.ts";
import { limitsRate } from "../../lib/permits/sending-limits.ts";
import { askPermits, expectUnavailable } from "./ask-permits.ts";

/** Returns the refusal of a single send that would have to wait for a limit of its server. */
export function heldBackError(waitMs: number): AppError {
  return new AppError("rate_limited", "a limit of the mail server is reached: nothing was sent", {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

/**
 * Waits for the permit of a mail that its Worker sends without the hub. While no rate is limited,
 * the mail only counts, and an object that does not answer holds up nothing. Throws rate_limited
 * when the wait would be long, and unavailable when nobody answers for a limited rate.
 */
export async function admitSingle(
  deps: Pick<Deps, "limiter" | "waitUntil">,
  projectId: string,
  { name, recipients, limits }: { name: string; recipients: string[]; limits: VersionedLimits },
): Promise<void> {
  const asking = askPermits(deps, projectId, (object) =>
    object.admitSingle(name, recipients, limits),
  );
  if (!limitsRate(limits.limits)) return deps.waitUntil(asking.catch(expectUnavailable));
  const waitMs = await asking;
  if (waitMs > 0) throw heldBackError(waitMs);
}
