import type { Block } from "../blocks/model.ts";

const SHOWN = 60;

/** Returns the first words of a block, as its label. */
export function wordsOf(block: Block): string {
  switch (block.type) {
    case "heading":
    case "footer":
      return block.text.slice(0, SHOWN);
    case "text":
      return block.paragraphs
        .flatMap(({ runs }) => runs.map(({ text }) => text))
        .join(" ")
        .slice(0, SHOWN);
    case "button":
      return block.label.slice(0, SHOWN);
    case "image":
      return (block.alt || block.src).slice(0, SHOWN);
    case "divider":
    case "columns":
      return "";
  }
}
