import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Badge } from "../../ui/badge.tsx";
import type { STATUSES } from "./filters.ts";
import { useLogText } from "./use-log-text.ts";

const TONES = {
  sent: "good",
  failed: "bad",
  bounced: "bad",
  suppressed: "warn",
  scheduled: "neutral",
} as const;

/** The status of a mail, and whether it was a test that no server got. */
export function StatusBadge({
  mail: { status, test },
}: {
  mail: { status: (typeof STATUSES)[number]; test?: boolean };
}) {
  const { statusNames } = useSharedText();
  const text = useLogText();
  return (
    <>
      <Badge tone={TONES[status]}>{statusNames[status]}</Badge>
      {test && (
        <>
          {" "}
          <Badge>{text.test}</Badge>
        </>
      )}
    </>
  );
}
