/*
 * Blocks of a mail. A template stores them along with its HTML (stored-blocks.ts), which is
 * generated from them (render-mail.ts). All texts may contain variables like {{name}}.
 */
import type { Font } from "../../../../../src/lib/mail-fonts.ts";

export { FONTS, FONT_NAMES } from "../../../../../src/lib/mail-fonts.ts";

/** A text run with uniform formatting. */
export interface Run {
  text: string;
  isBold?: true;
  isItalic?: true;
  /** URL of a link; rendered only if `safeUrl` accepts it. */
  link?: string;
}

/** A paragraph, or an item of a bulleted or numbered list. */
export interface Paragraph {
  kind: "plain" | "dot" | "number";
  runs: Run[];
}

export const ALIGNMENTS = ["left", "center", "right"] as const;
export type Align = (typeof ALIGNMENTS)[number];

export interface HeadingBlock {
  type: "heading";
  id: string;
  /** From 0, the title of a mail, to 3. */
  level: 0 | 1 | 2 | 3;
  align: Align;
  text: string;
}

export const TEXT_SIZES = ["large", "small"] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

export interface TextBlock {
  type: "text";
  id: string;
  align: Align;
  /** Larger for an introduction, smaller and muted for a note; undefined for running text. */
  size?: TextSize | undefined;
  paragraphs: Paragraph[];
}

export interface ButtonBlock {
  type: "button";
  id: string;
  align: Align;
  label: string;
  url: string;
  /** Drawn by its outline, beside a button that matters more. */
  isOutlined?: true | undefined;
}

export interface ImageBlock {
  type: "image";
  id: string;
  align: Align;
  src: string;
  alt: string;
  /** URL that the image links to; empty for none. */
  url: string;
  /** Width of the image in percent. */
  width: number;
  /** From edge to edge of the mail, which ignores the width; no effect within columns. */
  isWide?: true | undefined;
}

export interface DividerBlock {
  type: "divider";
  id: string;
}

export interface SpacerBlock {
  type: "spacer";
  id: string;
  /** Height in pixels. */
  height: number;
}

export interface QuoteBlock {
  type: "quote";
  id: string;
  text: string;
  /** Who said it; empty for nobody. */
  by: string;
}

export interface SocialLink {
  label: string;
  url: string;
}

export interface SocialBlock {
  type: "social";
  id: string;
  align: Align;
  links: SocialLink[];
}

export interface HtmlBlock {
  type: "html";
  id: string;
  /** The content of a table cell, which goes into the mail as it is. */
  html: string;
}

export interface FooterBlock {
  type: "footer";
  id: string;
  text: string;
  /** Text of the link to the mail in the browser, which only broadcasts have; undefined for none. */
  view?: string | undefined;
  /** Text of the unsubscribe link. */
  leave: string;
}

/** A block at the top level or in a column. */
export type LeafBlock =
  | HeadingBlock
  | TextBlock
  | ButtonBlock
  | ImageBlock
  | DividerBlock
  | SpacerBlock
  | QuoteBlock
  | SocialBlock
  | HtmlBlock
  | FooterBlock;

export const BANDS = ["soft", "accent"] as const;
export type Band = (typeof BANDS)[number];

export interface ColumnsBlock {
  type: "columns";
  id: string;
  /** One to three columns side by side; stacked on phones. */
  columns: LeafBlock[][];
  /** Background from edge to edge: a tint of the accent, or the accent itself. */
  band?: Band | undefined;
  /** Width of the first of two columns in percent; undefined for equal ones. */
  first?: number | undefined;
}

export type Block = LeafBlock | ColumnsBlock;
export type BlockType = Block["type"];

/** Styles shared by all blocks of a mail. */
export interface Look {
  /** Color of buttons and links, as `#rrggbb`. */
  accent: string;
  /** Background color of the mail, as `#rrggbb`. */
  background: string;
  font: Font;
  /** Font of the headings; undefined for that of the text. */
  headingFont?: Font | undefined;
  /** Preview text that mail clients show next to the subject. */
  preheader: string;
}

export interface Mail {
  look: Look;
  blocks: Block[];
}

export const FIRST_LOOK: Look = {
  accent: "#1d4ed8",
  background: "#f4f4f5",
  font: "sans",
  preheader: "",
};
