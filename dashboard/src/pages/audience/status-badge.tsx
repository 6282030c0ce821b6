import { Badge } from "../../ui/badge.tsx";
import type { Subscriber } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

const TONES = { active: "good", pending: "accent", unsubscribed: "neutral" } as const;

/** The status of a person; a suppressed address gets no mail, whatever the status. */
export function StatusBadge({ status, suppressed }: Pick<Subscriber, "status" | "suppressed">) {
  const text = useAudienceText();
  if (suppressed === null) return <Badge tone={TONES[status]}>{text.statuses[status]}</Badge>;
  return (
    <>
      <Badge tone="bad">{text.suppressed}</Badge>
      <span className="block text-muted">{text.suppressedBecause[suppressed]}</span>
    </>
  );
}
