import type { SuppressionRow } from "../../suppressions/index.ts";
import type { EntryRow } from "../log-rows.ts";

const REPORTERS = ["smtp", "imap", "email", "ingest"] as const;
export type Reporter = (typeof REPORTERS)[number];

/**
 * The reports about a mail, as recorded with the suppression of its address. Times are in
 * milliseconds.
 */
export interface Origin {
  bounce: { at: number | null; by: Reporter | null } | null;
  complaint: { at: number } | null;
}

/**
 * Finds who reported the bounce of a mail, and a later complaint. The log stores the text of a
 * bounce. The suppression that the bounce caused stores the rest, until it is removed.
 */
export function findOrigin(
  { status, sentAt }: Pick<EntryRow, "status" | "sentAt">,
  suppression: SuppressionRow | undefined,
): Origin {
  const later = suppression && suppression.createdAt >= sentAt ? suppression : undefined;
  return {
    bounce: status === "bounced" ? bounceOf(sentAt, later) : null,
    complaint: later?.source === "complaint" ? { at: later.createdAt } : null,
  };
}

function bounceOf(sentAt: number, suppression: SuppressionRow | undefined): Origin["bounce"] {
  if (suppression?.reason !== "hard_bounce") return { at: null, by: null };
  const by = REPORTERS.find((name) => /^\w+/.exec(suppression.source)?.[0] === name) ?? null;
  return { at: by === "smtp" ? sentAt : suppression.createdAt, by };
}
