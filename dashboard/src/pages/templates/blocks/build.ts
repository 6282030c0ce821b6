/* Short ways to write blocks in code. New ids come from `newMail`. */
import { PLACEHOLDER_URL } from "../../../../../src/lib/placeholders.ts";
import type {
  Align,
  ButtonBlock,
  ColumnsBlock,
  FooterBlock,
  HeadingBlock,
  ImageBlock,
  LeafBlock,
  Paragraph,
  Run,
  TextBlock,
} from "./model.ts";

const id = "";
const align = "left";

export const heading = (
  level: HeadingBlock["level"],
  text: string,
  at: Align = align,
): HeadingBlock => ({ type: "heading", id, level, align: at, text });

const paragraph = (kind: Paragraph["kind"], words: string | Run[]): Paragraph => ({
  kind,
  runs: typeof words === "string" ? [{ text: words }] : words,
});

export const text = (
  words: readonly (string | Run[])[],
  more: Partial<Pick<TextBlock, "size" | "align">> = {},
): TextBlock => ({
  type: "text",
  id,
  align,
  ...more,
  paragraphs: words.map((one) => paragraph("plain", one)),
});

export const list = (items: readonly string[]): TextBlock => ({
  type: "text",
  id,
  align,
  paragraphs: items.map((one) => paragraph("dot", one)),
});

export const link = (words: string): Run => ({ text: words, link: PLACEHOLDER_URL });

export const button = (
  label: string,
  more: Partial<Pick<ButtonBlock, "align" | "isOutlined" | "url">> = {},
): ButtonBlock => ({ type: "button", id, align, label, url: PLACEHOLDER_URL, ...more });

export const image = (
  src: string,
  alt: string,
  more: Partial<Pick<ImageBlock, "isWide">> = {},
): ImageBlock => ({ type: "image", id, align, src, alt, url: "", width: 100, ...more });

export const columns = (
  lists: LeafBlock[][],
  more: Partial<Pick<ColumnsBlock, "band" | "first">> = {},
): ColumnsBlock => ({ type: "columns", id, columns: lists, ...more });

/** One column on a background. */
export const band = (kind: NonNullable<ColumnsBlock["band"]>, ...blocks: LeafBlock[]) =>
  columns([blocks], { band: kind });

export const divider = { type: "divider", id } as const;
export const space = (height: number) => ({ type: "spacer", id, height }) as const;
export const footer = (words: string, links: Pick<FooterBlock, "view" | "leave">) =>
  ({ type: "footer", id, text: words, ...links }) as const;
