import { entryOf, type IngestEntry } from "./ingest-entry.ts";
import type { BouncedRecipient, BounceReport } from "./report.ts";

/** Returns the entries of a report that was posted instead of emailed. */
export function entriesOfReport({ kind, recipients, messageIds }: BounceReport): IngestEntry[] {
  return recipients.flatMap((recipient) => {
    const { email, reason: cause, diagnostic: reason, isDelay } = recipient;
    const said = { kind: kindOf(kind, recipient), reason, cause, ...(isDelay ? { isDelay } : {}) };
    return entryOf(email, said, messageIds[0]);
  });
}

function kindOf(kind: BounceReport["kind"], recipient: BouncedRecipient): IngestEntry["kind"] {
  if (kind !== "bounce") return kind === "complaint" ? kind : "harmless";
  const { verdict, permanentKind } = recipient;
  if (permanentKind) return permanentKind;
  if (verdict === "bad_address") return "bounce";
  return verdict === "not_address" ? "refusal" : "harmless";
}
