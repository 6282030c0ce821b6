/*
 * Stores the blocks in the HTML of a template: a Handlebars comment at its end, which is not
 * rendered. The API's `html_body` alone is enough to open the block editor again. A checksum of the
 * HTML before the comment detects manual edits.
 */
import * as z from "zod/mini";
import { ALIGNMENTS, BANDS, FONT_NAMES, TEXT_SIZES, type Block, type Mail } from "./model.ts";

const WIDTH_MIN = 5;
const FIRST_MIN = 20;

/**
 * No length limit, so that whatever fits into a template can be opened again, however it was
 * pasted.
 */
const text = z.string();
const align = z.enum(ALIGNMENTS);
const color = z.string().check(z.regex(/^#[0-9a-f]{6}$/));
const isTrue = z.optional(z.literal(true));

const run = z.strictObject({
  text,
  isBold: isTrue,
  isItalic: isTrue,
  link: z.optional(text),
});

const paragraph = z.strictObject({
  kind: z.enum(["plain", "dot", "number"]),
  runs: z.array(run),
});

const leaves = [
  z.strictObject({
    type: z.literal("heading"),
    level: z.literal([0, 1, 2, 3]),
    align,
    text,
  }),
  z.strictObject({
    type: z.literal("text"),
    align,
    size: z.optional(z.enum(TEXT_SIZES)),
    paragraphs: z.array(paragraph),
  }),
  z.strictObject({
    type: z.literal("button"),
    align,
    label: text,
    url: text,
    isOutlined: isTrue,
  }),
  z.strictObject({
    type: z.literal("image"),
    align,
    src: text,
    alt: text,
    url: text,
    width: z.int().check(z.minimum(WIDTH_MIN), z.maximum(100)),
    isWide: isTrue,
  }),
  z.strictObject({ type: z.literal("divider") }),
  z.strictObject({
    type: z.literal("spacer"),
    height: z.int().check(z.minimum(1), z.maximum(200)),
  }),
  z.strictObject({ type: z.literal("quote"), text, by: text }),
  z.strictObject({
    type: z.literal("social"),
    align,
    links: z.array(z.strictObject({ label: text, url: text })),
  }),
  z.strictObject({ type: z.literal("html"), html: text }),
  z.strictObject({ type: z.literal("footer"), text, view: z.optional(text), leave: text }),
] as const;

const column = z.array(z.discriminatedUnion("type", [...leaves]));
const columns = z.strictObject({
  type: z.literal("columns"),
  columns: z.array(column).check(z.minLength(1), z.maxLength(3)),
  band: z.optional(z.enum(BANDS)),
  first: z.optional(z.int().check(z.minimum(FIRST_MIN), z.maximum(100 - FIRST_MIN))),
});

const anyBlock = z.discriminatedUnion("type", [...leaves, columns]);

const storedMail = z.strictObject({
  look: z.strictObject({
    accent: color,
    background: color,
    font: z.enum(FONT_NAMES),
    headingFont: z.optional(z.enum(FONT_NAMES)),
    preheader: text,
  }),
  blocks: z.array(anyBlock),
});

type StoredMail = z.infer<typeof storedMail>;

const BEFORE = "{{!--postrider:blocks:1 ";
const AFTER = "--}}";

/** Returns a block as it is stored: without its ids, which matter only during editing. */
export const storedBlock = (block: Block): Record<string, unknown> => ({
  ...block,
  id: undefined,
  ...("columns" in block && { columns: block.columns.map((one) => one.map(storedBlock)) }),
});

function withIds(blocks: StoredMail["blocks"]): Block[] {
  let count = 0;
  const id = () => String(++count);
  return blocks.map((block) =>
    block.type === "columns"
      ? {
          ...block,
          id: id(),
          columns: block.columns.map((one) => one.map((leaf) => ({ ...leaf, id: id() }) as const)),
        }
      : { ...block, id: id() },
  ) as Block[]; // the schema requires every field; only its type allows undefined for an optional one
}

/** Reads a block that was stored by itself; undefined if this editor cannot read it. */
export function readBlock(stored: unknown): Block | undefined {
  const { data } = anyBlock.safeParse(stored);
  return data && withIds([data])[0];
}

/** Returns a checksum of a text (32-bit FNV-1a, twice with different seeds). */
export function checksumOf(value: string): string {
  let first = 0x811c9dc5;
  let second = 0x1234567;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b) ^ (second >>> 13);
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Appends the blocks to the HTML rendered from them. */
export function storeBlocks(html: string, mail: Mail): string {
  const json = JSON.stringify({ ...mail, blocks: mail.blocks.map(storedBlock) })
    .replaceAll("--", String.raw`-\u002d`) // would end the Handlebars comment
    .replaceAll("<", String.raw`\u003c`);
  return `${html}\n${BEFORE}${checksumOf(html)} ${json}${AFTER}\n`;
}

/** Result of reading the blocks from a template's HTML. */
export type StoredBlocks =
  /** No blocks: the template is edited as code. */
  | { kind: "none" }
  /** Blocks that this editor cannot read. */
  | { kind: "unreadable" }
  /** The HTML was rendered from the blocks; if `isChanged`, it was edited manually since. */
  | { kind: "blocks"; mail: Mail; isChanged: boolean };

/** Reads the blocks from the HTML of a template. */
export function readBlocks(source: string): StoredBlocks {
  const start = source.lastIndexOf("{{!--postrider:blocks:");
  if (start < 0) return { kind: "none" };
  const end = source.indexOf(AFTER, start);
  if (end < 0 || !source.startsWith(BEFORE, start)) return { kind: "unreadable" };
  const [, checksum, json = ""] =
    /^([0-9a-f]{16}) ([\s\S]*)$/.exec(source.slice(start + BEFORE.length, end)) ?? [];
  const parsed = storedMail.safeParse(parseJson(json));
  if (checksum === undefined || !parsed.success) return { kind: "unreadable" };
  const rest = source.slice(0, start) + source.slice(end + AFTER.length);
  const isChanged = checksumOf(rest.replace(/\n\n$/, "")) !== checksum;
  return {
    kind: "blocks",
    mail: { ...parsed.data, blocks: withIds(parsed.data.blocks) },
    isChanged,
  };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Returns the HTML without its blocks, to edit it as code from then on. */
export function dropBlocks(source: string): string {
  const start = source.lastIndexOf("{{!--postrider:blocks:");
  const end = source.indexOf(AFTER, start);
  if (start < 0 || end < 0) return source;
  return source.slice(0, start) + source.slice(end + AFTER.length).replace(/^\n/, "");
}
