import MarkdownIt, { type Token } from "markdown-it";
import { createAnchors } from "./anchors.ts";

/** A heading of level 2 or 3, for the table of contents. */
export interface Heading {
  level: number;
  anchor: string;
  title: string;
}

/** What the search finds: the text below a heading, or a row of a table that begins with a code. */
export interface Section {
  anchor: string;
  title: string;
  text: string;
}

/** A rendered document. */
export interface Rendered {
  html: string;
  headings: Heading[];
  sections: Section[];
  /** The ids that a link can lead to. */
  anchors: Set<string>;
}

const markdown = new MarkdownIt({ html: true });
export const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;
rules.heading_close = (tokens, index) => {
  const anchor = idOf(tokens[index - 2]);
  return `<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></${tokens[index]?.tag}>\n`;
};
rules.table_open = () => '<div class="table"><table>\n';
rules.table_close = () => "</table></div>\n";

/** Renders a document: headings, and rows of tables that begin with a code, get an anchor. */
export function renderDocument(text: string): Rendered {
  const tokens = markdown.parse(text, {});
  const nameAnchor = createAnchors();
  const headings: Heading[] = [];
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const inline = tokens[index + 1];
      const anchor = nameAnchor(inline?.content ?? "");
      token.attrSet("id", anchor);
      headings.push({ level: Number(token.tag.slice(1)), anchor, title: textOf(inline) });
    }
    alignByClass(token);
  });
  tokens.forEach((token, index) => {
    const code = codeOfRow(tokens, index);
    if (code !== undefined) token.attrSet("id", nameAnchor(code));
  });
  return {
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings: headings.filter(({ level }) => level === 2 || level === 3),
    sections: sectionsOf(tokens),
    anchors: new Set(tokens.flatMap((token) => idOf(token) ?? [])),
  };
}

/** Cells are aligned by a class: the policy of the pages allows no inline style. */
function alignByClass(token: Token) {
  const style = token.attrGet("style");
  if (style !== null) token.attrs = [["class", String(style).replace("text-align:", "")]];
}

/** Returns the code that is all of the first cell of a row in a table's body. */
function codeOfRow(tokens: Token[], index: number): string | undefined {
  if (tokens[index]?.type !== "tr_open" || tokens[index + 1]?.type !== "td_open") return undefined;
  const parts = tokens[index + 2]?.children ?? [];
  const [part] = parts;
  const isCode = parts.length === 1 && part?.type === "code_inline";
  return isCode && /\w/.test(part.content) ? part.content : undefined; // `?` makes no anchor
}

function sectionsOf(tokens: Token[]): Section[] {
  const sections: Section[] = [];
  let heading: Section | undefined;
  let current: Section | undefined;
  tokens.forEach((token, index) => {
    const anchor = idOf(token);
    if (anchor !== undefined) {
      const isRow = token.type === "tr_open";
      const title = isRow ? (codeOfRow(tokens, index) ?? "") : textOf(tokens[index + 1]);
      const section = { anchor, title, text: "" };
      sections.push(section);
      current = section;
      if (!isRow) heading = section;
    } else if (token.type === "table_close") current = heading;
    else if (token.type === "fence" || isText(tokens, index))
      if (current) current.text += `${textOf(token)} `;
  });
  return sections;
}

/** Tells whether a token holds text, and not the title of a section. */
function isText(tokens: Token[], index: number): boolean {
  const isTitle = [1, 2].some((before) => idOf(tokens[index - before]) !== undefined);
  return tokens[index]?.type === "inline" && !isTitle;
}

function idOf(token: Token | undefined): string | undefined {
  return token?.attrGet("id")?.toString();
}

function textOf(token: Token | undefined): string {
  const parts = token?.children ?? (token ? [token] : []);
  return parts
    .filter(({ type }) => type !== "html_inline")
    .map(({ type, content }) => (type === "softbreak" ? " " : content))
    .join("");
}
