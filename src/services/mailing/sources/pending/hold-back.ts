import type { Deps } from "../../../../deps.ts";
import { AppError } from "../../../../errors.ts";
import { isFull } from "../../../storage/index.ts";
import type { SendFacts } from "../single/send-facts.ts";

/** The wait before the next look at a mail that full storage holds back. */
const FULL_WAIT_MS = 10 * 60_000;

/** A pending mail that must wait although no attempt at it was made. */
export interface Deferral {
  kind: "held_back";
  waitMs: number;
  /** True if the limits of mail that strangers cause have counted the mail. */
  isCounted?: boolean;
}

/**
 * The refusals that another attempt cannot change, because something was deleted or is not
 * configured.
 */
const FINAL: ReadonlySet<number> = new Set([400, 404, 422]);

/** Returns true for a refusal that another attempt cannot change. */
export const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && FINAL.has(error.status);

/**
 * Returns how long a pending mail waits while the storage is full, or undefined if it need not
 * wait. A mail with an earlier attempt continues: the record of that attempt lasts for a day, and a
 * new attempt must find it within that time.
 */
export function holdWhileFull(deps: Deps, facts: SendFacts): Deferral | undefined {
  if (facts.operation || !isFull(deps, facts.storage)) return undefined;
  return { kind: "held_back", waitMs: FULL_WAIT_MS };
}
