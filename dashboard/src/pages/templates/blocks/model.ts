/*
 * The blocks of a mail. A template keeps them beside its HTML (stored-blocks.ts), and the HTML is
 * made of them alone (render-mail.ts). All texts may hold variables like {{name}}.
 */

/** A piece of text with one look. */
export interface Run {
  text: string;
  isBold?: true;
  isItalic?: true;
  /** The address of a link; the mail has the link only if `safeUrl` accepts it. */
  link?: string;
}

/** A paragraph, or an entry of a list with dots or numbers. */
export interface Paragraph {
  kind: "plain" | "dot" | "number";
  runs: Run[];
}

export const ALIGNMENTS = ["left", "center", "right"] as const;
export type Align = (typeof ALIGNMENTS)[number];

export interface HeadingBlock {
  type: "heading";
  id: string;
  level: 1 | 2 | 3;
  align: Align;
  text: string;
}

export interface TextBlock {
  type: "text";
  id: string;
  align: Align;
  paragraphs: Paragraph[];
}

export interface ButtonBlock {
  type: "button";
  id: string;
  align: Align;
  label: string;
  url: string;
}

export interface ImageBlock {
  type: "image";
  id: string;
  align: Align;
  src: string;
  alt: string;
  /** The address that the image leads to; empty for none. */
  url: string;
  /** The share of the width that the image takes, in percent. */
  width: number;
}

export interface DividerBlock {
  type: "divider";
  id: string;
}

export interface FooterBlock {
  type: "footer";
  id: string;
  text: string;
  /** The words of the link to unsubscribe. */
  leave: string;
}

/** A block that stands alone or in a column. */
export type LeafBlock =
  | HeadingBlock
  | TextBlock
  | ButtonBlock
  | ImageBlock
  | DividerBlock
  | FooterBlock;

export interface ColumnsBlock {
  type: "columns";
  id: string;
  /** Two or three columns side by side; a telephone shows them one below the other. */
  columns: LeafBlock[][];
}

export type Block = LeafBlock | ColumnsBlock;
export type BlockType = Block["type"];

/** The look that all blocks of a mail share. */
export interface Look {
  /** The colour of buttons and links, as `#rrggbb`. */
  accent: string;
  /** The colour behind the mail, as `#rrggbb`. */
  background: string;
  font: "sans" | "serif";
  /** The line that mail programs show beside the subject. */
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
