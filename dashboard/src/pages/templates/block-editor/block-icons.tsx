import { icon, type Icon } from "../../../ui/icons.tsx";
import type { BlockType } from "../blocks/model.ts";

/**
 * The icons of the kinds of blocks, in the order in which they are offered. They are Lucide's, with
 * the license in `ui/icons.tsx`.
 */
export const BLOCK_ICONS: Record<BlockType, Icon> = {
  heading: icon("M6 12h12M6 20V4M18 20V4"),
  text: icon("M21 6H3M15 12H3M17 18H3"),
  button: icon("M4 6h16a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z"),
  image: icon(
    "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM7 9a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M21 15l-3.086-3.086a2 2 0 0 0-2.828 0L6 21",
  ),
  columns: icon("M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM12 3v18"),
  quote: icon("M17 6H3M21 12H8M21 18H8M3 12v6"),
  social: icon(
    "M15 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M3 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M15 19a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M8.59 13.51l6.83 3.98M15.41 6.51l-6.82 3.98",
  ),
  divider: icon("M5 12h14"),
  spacer: icon("M12 2v20M8 18l4 4 4-4M8 6l4-4 4 4"),
  html: icon("M18 16l4-4-4-4M6 8l-4 4 4 4M14.5 4l-5 16"),
  footer: icon("M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM3 15h18"),
};

export const BLOCK_TYPES = Object.keys(BLOCK_ICONS) as BlockType[]; // a record has no other keys
