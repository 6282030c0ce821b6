import { Badge } from "../../ui/badge.tsx";
import type { Automation } from "./queries.ts";
import { useAutomationsText } from "./use-automations-text.ts";

const TONES = { draft: "neutral", active: "good", paused: "warn", stopped: "neutral" } as const;

export function StateBadge({ state }: Pick<Automation, "state">) {
  const { states } = useAutomationsText();
  return <Badge tone={TONES[state]}>{states[state]}</Badge>;
}
