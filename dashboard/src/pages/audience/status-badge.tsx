import { Badge } from "../../ui/badge.tsx";
import type { Status } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

const TONES = { active: "good", pending: "accent", unsubscribed: "neutral" } as const;

export function StatusBadge({ status }: { status: Status }) {
  const { statuses } = useAudienceText();
  return <Badge tone={TONES[status]}>{statuses[status]}</Badge>;
}
