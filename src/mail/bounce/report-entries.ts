import { entryOf, type IngestEntry } from "./ingest-entry.ts";
import type { BouncedRecipient, BounceReport } from "./report.ts";

/** Returns the entries of a report that is posted instead of mailed. */
export function entriesOfReport({ kind, recipients, messageIds }: BounceReport): IngestEntry[] {
  if (kind === "other") return [];
  return recipients.flatMap((recipient) => {
    const { email, reason: cause, diagnostic: reason } = recipient;
    const said = { kind: kind === "complaint" ? kind : kindOf(recipient), reason, cause };
    return entryOf(email, said, messageIds[0]);
  });
}

function kindOf({ verdict }: BouncedRecipient): IngestEntry["kind"] {
  if (verdict === "bad_address") return "bounce";
  return verdict === "not_address" ? "refusal" : "harmless";
}
