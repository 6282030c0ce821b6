import { Badge } from "../../ui/badge.tsx";
import type { State } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const TONES = {
  draft: "neutral",
  scheduled: "accent",
  queued: "accent",
  sending: "accent",
  paused: "warn",
  done: "good",
  cancelled: "neutral",
} as const satisfies Record<State, string>;

export function StateBadge({ state }: { state: State }) {
  const { states } = useBroadcastsText();
  return <Badge tone={TONES[state]}>{states[state]}</Badge>;
}
