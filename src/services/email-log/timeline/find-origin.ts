import type { BounceReport } from "../../../db/schema/index.ts";
import type { SuppressionRow } from "../../suppressions/index.ts";
import type { EntryRow } from "../log-rows.ts";

/** The reports about a mail. Times are in milliseconds. */
export interface Origin {
  bounce: { at: number; by: "smtp" | BounceReport["by"] } | null;
  complaint: { at: number } | null;
}

/**
 * Returns who reported the bounce of a mail, from its entry, and a later complaint of its address,
 * from the suppression list. A bounce without a report was the server's answer.
 */
export function findOrigin(
  { status, sentAt, returned }: Pick<EntryRow, "status" | "sentAt" | "returned">,
  suppression: SuppressionRow | undefined,
): Origin {
  // `markBounced` wrote this JSON.
  const report = returned === null ? null : (JSON.parse(returned) as BounceReport);
  const isComplaint = suppression?.source === "complaint" && suppression.createdAt >= sentAt;
  return {
    bounce: status === "bounced" ? (report ?? { at: sentAt, by: "smtp" }) : null,
    complaint: isComplaint ? { at: suppression.createdAt } : null,
  };
}
