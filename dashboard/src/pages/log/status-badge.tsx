import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Badge } from "../../ui/badge.tsx";
import type { STATUSES } from "./filters.ts";

const TONES = { sent: "good", failed: "bad", bounced: "bad", suppressed: "warn" } as const;

export function StatusBadge({ status }: { status: (typeof STATUSES)[number] }) {
  const { statusNames } = useSharedText();
  return <Badge tone={TONES[status]}>{statusNames[status]}</Badge>;
}
