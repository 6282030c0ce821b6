import type { Deps } from "../../deps.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { selectRefusals, type RefusalCount, type Span } from "../email-log/reports/index.ts";

/** The maximum number of mails of each status in one report, newest first. */
const MAILS_PER_STATUS = 10_000;

/** The rejected mails of a window with one reason; null if no reply gave one. */
interface RefusalTotals {
  reason: string | null;
  failed: number;
  bounced: number;
}

export interface RefusalReport extends Span {
  /** Sorted by count, descending. */
  refusals: RefusalTotals[];
  /** False if the window has more rejected mails than were counted. */
  isComplete: boolean;
}

/** Returns the statement that runs along with the access check, for `reportRefusals`. */
export const refusalReads = ({ db }: Deps, projectId: string, window: Span) =>
  [selectRefusals(db, projectId, window, MAILS_PER_STATUS)] as const;

/**
 * Returns the failed and bounced mails of a window `[from, to)` by reason. Throws 400 for
 * an empty window.
 */
export function reportRefusals({ from, to }: Span, counts: RefusalCount[]): RefusalReport {
  if (from >= to) throw invalidField("from", faultOf("not_before", { field: "to" }));
  const refusals = new Map<string | null, RefusalTotals>();
  for (const { reason, status, n } of counts) {
    const totals = refusals.get(reason) ?? { reason, failed: 0, bounced: 0 };
    refusals.set(reason, { ...totals, [status]: n });
  }
  const all = ({ failed, bounced }: RefusalTotals) => failed + bounced;
  const sumOf = (status: RefusalCount["status"]) =>
    [...refusals.values()].reduce((sum, totals) => sum + totals[status], 0);
  return {
    from,
    to,
    refusals: [...refusals.values()].toSorted(
      (a, b) => all(b) - all(a) || ((a.reason ?? "") < (b.reason ?? "") ? -1 : 1),
    ),
    isComplete: sumOf("failed") < MAILS_PER_STATUS && sumOf("bounced") < MAILS_PER_STATUS,
  };
}
