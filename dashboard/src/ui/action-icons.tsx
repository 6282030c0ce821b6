/* Icons that the frame and the first page do not show; see icons.tsx for their source and license. */
import { icon } from "./icons.tsx";

export const ArrowDown = icon("M12 5v14M19 12l-7 7-7-7");
export const ArrowUp = icon("M5 12l 7-7 7 7M12 19V5");
export const Check = icon("M20 6 9 17l-5-5");
export const CircleX = icon("M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M15 9l-6 6M9 9l 6 6");
export const Clock = icon("M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M12 6v6l4 2");
export const Copy = icon(
  "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2zM4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2",
);
export const Download = icon("M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l 5 5 5-5");
export const Plus = icon("M5 12h14M12 5v14");
export const Trash2 = icon(
  "M10 11v6M14 11v6M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2",
);
