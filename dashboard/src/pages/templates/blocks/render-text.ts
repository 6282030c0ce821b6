import type { Look, Paragraph, Run } from "./model.ts";
import { escapeLines, escapeText, safeUrl } from "./variables.ts";

/** Text styles of a mail, and the available width. */
export interface Style {
  look: Look;
  font: string;
  /** Available width in pixels. */
  width: number;
  /** True if the row of each block names it, for clicks on the preview. */
  isMarked?: boolean;
}

function renderRun({ text, isBold, isItalic, link }: Run, { look }: Style): string {
  let html = escapeLines(text);
  if (isItalic) html = `<em>${html}</em>`;
  if (isBold) html = `<strong>${html}</strong>`;
  const href = link === undefined ? undefined : safeUrl(link);
  if (href === undefined) return html;
  const css = `color:${look.accent};text-decoration:underline`;
  return `<a class="link" href="${escapeText(href)}" target="_blank" style="${css}">${html}</a>`;
}

const LISTS = { dot: "ul", number: "ol" } as const;

/** Renders paragraphs as HTML; consecutive list items of one kind become one list. */
export function renderParagraphs(paragraphs: Paragraph[], style: Style): string {
  const css = `font:400 16px/24px ${style.font};color:#18181b`;
  const pieces: string[] = [];
  for (let at = 0; at < paragraphs.length; at++) {
    const { kind = "plain", runs = [] } = paragraphs[at] ?? {};
    const words = runs.map((run) => renderRun(run, style)).join("") || "&nbsp;";
    if (kind === "plain") {
      pieces.push(`<p class="ink" style="margin:0 0 8px;${css}">${words}</p>`);
      continue;
    }
    const isFirst = paragraphs[at - 1]?.kind !== kind;
    const isLast = paragraphs[at + 1]?.kind !== kind;
    const list = LISTS[kind];
    if (isFirst) pieces.push(`<${list} style="margin:0 0 8px;padding:0 0 0 24px">`);
    pieces.push(`<li class="ink" style="margin:0 0 4px;text-align:left;${css}">${words}</li>`);
    if (isLast) pieces.push(`</${list}>`);
  }
  return pieces.join("");
}
