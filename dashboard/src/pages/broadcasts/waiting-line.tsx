import { Notice } from "../../ui/notice.tsx";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** The broadcast that this one waits for; renders nothing if it does not wait. */
export function WaitingLine({ broadcast: { waiting_for: other } }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  if (other === null) return null;
  return <Notice role="status">{text.waitsFor(other.name)}</Notice>;
}
