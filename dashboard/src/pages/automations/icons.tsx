/* Icons of the steps; see ui/icons.tsx for their source and license. */
import type { Step } from "../../../../src/lib/automation-definition.ts";
import { Clock, Webhook } from "../../ui/action-icons.tsx";
import { icon, Send, type Icon } from "../../ui/icons.tsx";

export const ArrowDown = icon("M12 5v14M19 12l-7 7-7-7");
export const ArrowUp = icon("M5 12l 7-7 7 7M12 19V5");
const Bell = icon(
  "M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326",
);
const Flag = icon(
  "M4 22V4a1 1 0 0 1 .4-.8A6 6 0 0 1 8 2c3 0 5 2 7.333 2q2 0 3.067-.8A1 1 0 0 1 20 4v10a1 1 0 0 1-.4.8A6 6 0 0 1 16 16c-3 0-5-2-8-2a6 6 0 0 0-4 1.528",
);
const Split = icon("M16 3h5v5M8 3H3v5M12 22v-8.3a4 4 0 0 0-1.172-2.872L3 3M15 9l6-6");
const Tag = icon(
  "M12.586 2.586A2 2 0 0 0 11.172 2H4a2 2 0 0 0-2 2v7.172a2 2 0 0 0 .586 1.414l8.704 8.704a2.426 2.426 0 0 0 3.42 0l6.58-6.58a2.426 2.426 0 0 0 0-3.42zM7.5 7.5h.01",
);
export const Zap = icon(
  "M4 14a1 1 0 0 1-.78-1.63l9.9-10.2a.5.5 0 0 1 .86.46l-1.92 6.02A1 1 0 0 0 13 10h7a1 1 0 0 1 .78 1.63l-9.9 10.2a.5.5 0 0 1-.86-.46l1.92-6.02A1 1 0 0 0 11 14z",
);
export const Undo = icon("M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5 5.5 5.5 0 0 1-5.5 5.5H11");
export const Redo = icon("M15 14 20 9l-5-5M20 9H9.5A5.5 5.5 0 0 0 4 14.5 5.5 5.5 0 0 0 9.5 20H13");

export const STEP_ICONS: Record<Step["type"], Icon> = {
  send: Send,
  wait: Clock,
  branch: Split,
  set: Tag,
  webhook: Webhook,
  notify: Bell,
  end: Flag,
};
