import {
  AlignLeft,
  CodeXml,
  Columns,
  Heading,
  Image,
  Minus,
  MoveVertical,
  PanelBottom,
  RectangleHorizontal,
  Share2,
  TextQuote,
  type Icon,
} from "../../../ui/icons.tsx";
import type { BlockType } from "../blocks/model.ts";

/** The icons of the kinds of blocks, in the order in which they are offered. */
export const BLOCK_ICONS: Record<BlockType, Icon> = {
  heading: Heading,
  text: AlignLeft,
  button: RectangleHorizontal,
  image: Image,
  columns: Columns,
  quote: TextQuote,
  social: Share2,
  divider: Minus,
  spacer: MoveVertical,
  html: CodeXml,
  footer: PanelBottom,
};

export const BLOCK_TYPES = Object.keys(BLOCK_ICONS) as BlockType[]; // a record has no other keys
