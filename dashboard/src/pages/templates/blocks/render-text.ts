import { inkOn } from "./colors.ts";
import type { Look, Run, TextBlock } from "./model.ts";
import { escapeLines, escapeText, safeUrl } from "./variables.ts";

/** Colors on a background. */
interface Tone {
  ink: string;
  muted: string;
  /** Buttons, links and borders. */
  accent: string;
  /** True if dark mode leaves the background, and so the colors on it. */
  isFixed: boolean;
}

/** Colors on the white of the mail. */
export const toneOnWhite = ({ accent }: Look): Tone => ({
  ink: "#18181b",
  muted: "#5b5b66",
  accent,
  isFixed: false,
});

/** Colors on the accent: black or white. */
export function toneOnAccent({ accent }: Look): Tone {
  const ink = inkOn(accent);
  return { ink, muted: ink, accent: ink, isFixed: true };
}

/** Text styles of a mail, and the available space. */
export interface Style {
  look: Look;
  font: string;
  headingFont: string;
  tone: Tone;
  /** Available width in pixels. */
  width: number;
  /** Space left and right of a row, in pixels; 0 within columns. */
  edge: number;
  /** True if the row of each block names it, for clicks on the preview. */
  isMarked?: boolean;
}

/** Returns the attribute of a class that changes a color in dark mode, and of more classes. */
export const classOf = (
  name: "ink" | "muted" | "link" | "line",
  { tone }: Style,
  more = "",
): string => `class="${tone.isFixed ? "fixed" : name}${more}"`;

function renderRun({ text, isBold, isItalic, link }: Run, style: Style): string {
  let html = escapeLines(text);
  if (isItalic) html = `<em>${html}</em>`;
  if (isBold) html = `<strong>${html}</strong>`;
  const href = link === undefined ? undefined : safeUrl(link);
  if (href === undefined) return html;
  const css = `color:${style.tone.accent};text-decoration:underline`;
  return `<a ${classOf("link", style)} href="${escapeText(href)}" target="_blank" style="${css}">${html}</a>`;
}

const LISTS = { dot: "ul", number: "ol" } as const;
const FONT_SIZES = { large: "18px/28px", normal: "16px/24px", small: "14px/21px" } as const;

/** Renders paragraphs as HTML; consecutive list items of one kind become one list. */
export function renderParagraphs({ paragraphs, size }: TextBlock, style: Style): string {
  const color = size === "small" ? ("muted" as const) : ("ink" as const);
  const css = `font:400 ${FONT_SIZES[size ?? "normal"]} ${style.font};color:${style.tone[color]}`;
  const named = classOf(color, style);
  const pieces: string[] = [];
  for (let at = 0; at < paragraphs.length; at++) {
    const { kind = "plain", runs = [] } = paragraphs[at] ?? {};
    const words = runs.map((run) => renderRun(run, style)).join("") || "&nbsp;";
    const gap = at === paragraphs.length - 1 ? 0 : size === "small" ? 4 : 12;
    if (kind === "plain") {
      pieces.push(`<p ${named} style="margin:0 0 ${gap}px;${css}">${words}</p>`);
      continue;
    }
    const isFirst = paragraphs[at - 1]?.kind !== kind;
    const isLast = paragraphs[at + 1]?.kind !== kind;
    const list = LISTS[kind];
    if (isFirst) pieces.push(`<${list} style="margin:0 0 ${gap}px;padding:0 0 0 24px">`);
    pieces.push(`<li ${named} style="margin:0 0 6px;text-align:left;${css}">${words}</li>`);
    if (isLast) pieces.push(`</${list}>`);
  }
  return pieces.join("");
}
