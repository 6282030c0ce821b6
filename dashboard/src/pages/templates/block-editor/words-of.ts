import type { Block } from "../blocks/model.ts";
import { readable } from "../blocks/variables.ts";

const SHOWN = 60;

/** Returns the first words of a block, as its label. */
export function wordsOf(block: Block): string {
  switch (block.type) {
    case "heading":
    case "footer":
    case "quote":
      return readable(block.text).slice(0, SHOWN);
    case "text":
      return block.paragraphs
        .map(({ runs }) => readable(runs.map(({ text }) => text).join("")))
        .join(" ")
        .slice(0, SHOWN);
    case "button":
      return block.label.slice(0, SHOWN);
    case "image":
      return (block.alt || block.src).slice(0, SHOWN);
    case "social":
      return block.links
        .map(({ label }) => label)
        .join(", ")
        .slice(0, SHOWN);
    case "html":
      return block.html.slice(0, SHOWN);
    case "spacer":
      return `${block.height} px`;
    case "columns":
      return block.columns
        .flat()
        .filter(({ type }) => type !== "spacer")
        .map(wordsOf)
        .filter((words) => words !== "")
        .join(", ")
        .slice(0, SHOWN);
    case "divider":
      return "";
  }
}
