/* Converts between the paragraphs of a text block and a Tiptap document. */
import type { JSONContent } from "@tiptap/core";
import type { Paragraph, Run } from "../blocks/model.ts";
import { splitVariables } from "../blocks/variables.ts";

const LISTS = { dot: "bulletList", number: "orderedList" } as const;

function contentOf({ text, isBold, isItalic, link }: Run): JSONContent[] {
  const marks = [
    ...(isBold ? [{ type: "bold" }] : []),
    ...(isItalic ? [{ type: "italic" }] : []),
    ...(link === undefined ? [] : [{ type: "link", attrs: { href: link } }]),
  ];
  return text
    .split("\n")
    .flatMap((line, at) => [
      ...(at > 0 ? [{ type: "hardBreak", marks }] : []),
      ...textContent(line, marks),
    ]);
}

/** Returns a line as text and chips of variables. */
export const textContent = (line: string, marks: JSONContent["marks"] = []): JSONContent[] =>
  splitVariables(line).map((part) =>
    typeof part === "string"
      ? { type: "text", text: part, marks }
      : { type: "variable", attrs: { source: part.source }, marks },
  );

const paragraphNode = ({ runs }: Paragraph): JSONContent => ({
  type: "paragraph",
  content: runs.flatMap(contentOf),
});

/** Converts paragraphs to a Tiptap document; consecutive list items of one kind become one list. */
export function documentOf(paragraphs: readonly Paragraph[]): JSONContent {
  const content: JSONContent[] = [];
  let kind: Paragraph["kind"] = "plain";
  for (const paragraph of paragraphs) {
    if (paragraph.kind === "plain") content.push(paragraphNode(paragraph));
    else {
      if (paragraph.kind !== kind) content.push({ type: LISTS[paragraph.kind], content: [] });
      content.at(-1)?.content?.push({ type: "listItem", content: [paragraphNode(paragraph)] });
    }
    ({ kind } = paragraph);
  }
  return { type: "doc", content: content.length > 0 ? content : [{ type: "paragraph" }] };
}

function runOf({ type, text = "", marks = [], attrs }: JSONContent): Run {
  const link: unknown = marks.find((mark) => mark.type === "link")?.attrs?.["href"];
  return {
    text: type === "hardBreak" ? "\n" : type === "variable" ? String(attrs?.["source"]) : text,
    ...(marks.some((mark) => mark.type === "bold") && { isBold: true }),
    ...(marks.some((mark) => mark.type === "italic") && { isItalic: true }),
    ...(typeof link === "string" && link !== "" && { link }),
  };
}

const lookOf = ({ isBold, isItalic, link }: Run) => JSON.stringify([isBold, isItalic, link]);

function runsOf(content: readonly JSONContent[] = []): Run[] {
  const runs: Run[] = [];
  for (const node of content) {
    const run = runOf(node);
    const last = runs.at(-1);
    if (last && lookOf(last) === lookOf(run)) last.text += run.text;
    else runs.push(run);
  }
  return runs;
}

/** Converts a Tiptap document to paragraphs. Nested lists are flattened. */
export function paragraphsOf(node: JSONContent, kind: Paragraph["kind"] = "plain"): Paragraph[] {
  const { type, content = [] } = node;
  if (type === "paragraph") return [{ kind, runs: runsOf(content) }];
  const inner = type === "bulletList" ? "dot" : type === "orderedList" ? "number" : kind;
  return content.flatMap((child) => paragraphsOf(child, inner));
}
