/* Operations on a mail's blocks; each returns a new mail. */
import type { Block, BlockType, LeafBlock, Mail } from "./model.ts";

/** A list of blocks: the mail's top level, or a column. */
export type Place = { columnsId: string; column: number } | undefined;

/** A position in a list of blocks. */
export interface Spot {
  place: Place;
  index: number;
}

const newId = () => crypto.randomUUID();

/** Creates an empty block. */
export function newBlock(type: BlockType, words: { leave: string }): Block {
  const id = newId();
  const align = "left";
  switch (type) {
    case "heading":
      return { type, id, align, level: 1, text: "" };
    case "text":
      return { type, id, align, paragraphs: [{ kind: "plain", runs: [] }] };
    case "button":
      return { type, id, align, label: "", url: "" };
    case "image":
      return { type, id, align: "center", src: "", alt: "", url: "", width: 100 };
    case "divider":
      return { type, id };
    case "spacer":
      return { type, id, height: 32 };
    case "quote":
      return { type, id, text: "", by: "" };
    case "social":
      return { type, id, align: "center", links: [{ label: "", url: "" }] };
    case "html":
      return { type, id, html: "" };
    case "columns":
      return { type, id, columns: [[], []] };
    case "footer":
      return { type, id, text: "", leave: words.leave };
  }
}

/** Copies a block with new ids. */
export const copyOf = <B extends Block>(block: B): B =>
  ({
    ...block,
    id: newId(),
    ...(block.type === "columns" && {
      columns: block.columns.map((one) => one.map((leaf) => ({ ...leaf, id: newId() }))),
    }),
  }) satisfies Block as B; // the spread preserves the type of the block

/** Returns all blocks of a mail in its order, those in columns after their columns. */
export const allBlocks = ({ blocks }: Mail): Block[] =>
  blocks.flatMap((block) =>
    block.type === "columns" ? [block, ...block.columns.flat()] : [block],
  );

export function blocksAt({ blocks }: Mail, place: Place): readonly Block[] {
  if (!place) return blocks;
  const block = blocks.find(({ id }) => id === place.columnsId);
  return block?.type === "columns" ? (block.columns[place.column] ?? []) : [];
}

/** Returns the position of a block. */
export function spotOf(mail: Mail, id: string): Spot | undefined {
  for (const [index, block] of mail.blocks.entries()) {
    if (block.id === id) return { place: undefined, index };
    if (block.type !== "columns") continue;
    for (const [column, leaves] of block.columns.entries()) {
      const at = leaves.findIndex((leaf) => leaf.id === id);
      if (at >= 0) return { place: { columnsId: block.id, column }, index: at };
    }
  }
  return undefined;
}

/**
 * Returns the position for a new block of a list: after the selected one, or else at the end, above
 * the footer.
 */
export function spotForNew(mail: Mail, place: Place, selectedId: string | undefined): Spot {
  const list = blocksAt(mail, place);
  const selected = list.findIndex(
    (block) =>
      block.id === selectedId ||
      (block.type === "columns" && block.columns.flat().some(({ id }) => id === selectedId)),
  );
  const end = list.at(-1)?.type === "footer" ? list.length - 1 : list.length;
  return { place, index: selected >= 0 ? Math.min(selected + 1, end) : end };
}

function withBlocks(mail: Mail, place: Place, blocks: readonly Block[]): Mail {
  if (!place) return { ...mail, blocks: [...blocks] };
  const leaves = blocks.filter((block): block is LeafBlock => block.type !== "columns");
  return {
    ...mail,
    blocks: mail.blocks.map((block) =>
      block.type === "columns" && block.id === place.columnsId
        ? {
            ...block,
            columns: block.columns.map((one, at) => (at === place.column ? leaves : one)),
          }
        : block,
    ),
  };
}

/** Inserts a block at a position. Columns cannot be nested: the mail is then returned unchanged. */
export function insertBlock(mail: Mail, { place, index }: Spot, block: Block): Mail {
  if (place && block.type === "columns") return mail;
  return withBlocks(mail, place, blocksAt(mail, place).toSpliced(index, 0, block));
}

export function removeBlock(mail: Mail, id: string): Mail {
  const spot = spotOf(mail, id);
  if (!spot) return mail;
  return withBlocks(mail, spot.place, blocksAt(mail, spot.place).toSpliced(spot.index, 1));
}

export function replaceBlock(mail: Mail, block: Block): Mail {
  const spot = spotOf(mail, block.id);
  if (!spot) return mail;
  return withBlocks(mail, spot.place, blocksAt(mail, spot.place).with(spot.index, block));
}

/** Moves a block to a position, counted before the move. */
export function moveBlock(mail: Mail, id: string, to: Spot): Mail {
  const from = spotOf(mail, id);
  const block = from && blocksAt(mail, from.place)[from.index];
  if (!block || (to.place && (block.type === "columns" || to.place.columnsId === id))) return mail;
  const isSameList =
    from.place?.columnsId === to.place?.columnsId && from.place?.column === to.place?.column;
  const index = isSameList && from.index < to.index ? to.index - 1 : to.index;
  return insertBlock(removeBlock(mail, id), { place: to.place, index }, block);
}

/** Moves a block one step up or down within its list; undefined at the end of the list. */
export function stepBlock(mail: Mail, id: string, step: 1 | -1): Mail | undefined {
  const spot = spotOf(mail, id);
  if (!spot) return undefined;
  const index = spot.index + step;
  if (index < 0 || index >= blocksAt(mail, spot.place).length) return undefined;
  return moveBlock(mail, id, { place: spot.place, index: step === 1 ? index + 1 : index });
}
