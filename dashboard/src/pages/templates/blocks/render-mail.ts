/*
 * Renders blocks as HTML: tables with inline styles, because Outlook supports no other layout and
 * some Gmail clients drop style sheets. Widths are also attributes, for Outlook.
 */
import { inkOn, onDark } from "./colors.ts";
import {
  FONTS,
  type Align,
  type Block,
  type ButtonBlock,
  type ImageBlock,
  type Look,
  type Mail,
  type SocialBlock,
} from "./model.ts";
import { renderParagraphs, type Style } from "./render-text.ts";
import { escapeLines, escapeText, safeImageUrl, safeUrl } from "./variables.ts";

/** Width of the mail, and of its content, in pixels. */
const WIDTH = 600;
const EDGE = 24;

const HEADINGS = { 1: [28, 36], 2: [22, 30], 3: [18, 26] } as const;

const table = (attributes: string, content: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${attributes}>${content}</table>`;

/** A row of the mail's layout table, or of a column. */
const row = (align: Align, content: string, padding = "8px 0") =>
  `<tr><td align="${align}" style="padding:${padding};text-align:${align}">${content}</td></tr>`;

function renderButton({ label, url, align }: ButtonBlock, { look, font }: Style): string {
  const ink = inkOn(look.accent);
  const style = `display:inline-block;padding:12px 24px;font:600 16px/20px ${font};color:${ink};text-decoration:none;border-radius:6px;mso-padding-alt:0`;
  const href = safeUrl(url);
  const words = escapeText(label);
  const face =
    href === undefined
      ? `<span style="${style}">${words}</span>`
      : `<a href="${escapeText(href)}" target="_blank" style="${style}">${words}</a>`;
  const cell = `<tr><td bgcolor="${look.accent}" style="background:${look.accent};border-radius:6px;mso-padding-alt:12px 24px">${face}</td></tr>`;
  return row(align, table(` align="${align}"`, cell), "12px 0");
}

function renderImage({ src, alt, url, width, align }: ImageBlock, style: Style): string {
  const from = safeImageUrl(src);
  if (from === undefined) return "";
  const pixels = Math.round((style.width * width) / 100);
  const css = `display:inline-block;width:${pixels}px;max-width:100%;height:auto;border:0;font:400 14px/20px ${style.font};color:#5b5b66`; // the font is that of the description
  const image = `<img class="muted" src="${escapeText(from)}" alt="${escapeText(alt)}" width="${pixels}" border="0" style="${css}">`;
  const href = url === "" ? undefined : safeUrl(url);
  const linked =
    href === undefined ? image : `<a href="${escapeText(href)}" target="_blank">${image}</a>`;
  return row(align, linked);
}

function renderSocial({ links, align }: SocialBlock, { look, font }: Style): string {
  const css = `color:${look.accent};text-decoration:underline`;
  const shown = links.flatMap(({ label, url }) => {
    const href = safeUrl(url);
    if (href === undefined || label === "") return [];
    return `<a class="link" href="${escapeText(href)}" target="_blank" style="${css}">${escapeText(label)}</a>`;
  });
  const words = `<p class="muted" style="margin:0;font:400 14px/24px ${font};color:#5b5b66">${shown.join(" &nbsp;·&nbsp; ")}</p>`;
  return shown.length === 0 ? "" : row(align, words);
}

/** Renders a block as rows; an empty one has none. */
function renderBlock(block: Block, style: Style): string {
  const rows = rowsOf(block, style);
  return style.isMarked ? rows.replace(/^<tr/, `<tr data-block="${block.id}"`) : rows;
}

function rowsOf(block: Block, style: Style): string {
  const { font } = style;
  switch (block.type) {
    case "heading": {
      const [size, height] = HEADINGS[block.level];
      const tag = `h${block.level}`;
      const css = `margin:0;font:700 ${size}px/${height}px ${font};color:#18181b`;
      return row(
        block.align,
        `<${tag} class="ink" style="${css}">${escapeText(block.text)}</${tag}>`,
      );
    }
    case "text":
      return row(block.align, renderParagraphs(block.paragraphs, style));
    case "button":
      return renderButton(block, style);
    case "image":
      return renderImage(block, style);
    case "divider": {
      const css = "border-top:1px solid #dcdce1;font-size:0;line-height:0";
      const line = `<tr><td class="line" height="1" style="${css}">&nbsp;</td></tr>`;
      return row("left", table(' width="100%"', line), "16px 0");
    }
    case "spacer":
      return `<tr><td height="${block.height}" style="height:${block.height}px;font-size:0;line-height:0">&nbsp;</td></tr>`;
    case "quote": {
      const css = `margin:0;font:italic 400 18px/28px ${font};color:#18181b`;
      const by = `<p class="muted" style="margin:8px 0 0;font:400 14px/20px ${font};color:#5b5b66">${escapeText(block.by)}</p>`;
      const words = `<p class="ink" style="${css}">${escapeLines(block.text)}</p>${block.by === "" ? "" : by}`;
      const cell = `<tr><td style="padding:4px 0 4px 16px;border-left:4px solid ${style.look.accent};text-align:left">${words}</td></tr>`;
      return row("left", table(' width="100%"', cell), "12px 0");
    }
    case "social":
      return renderSocial(block, style);
    case "html":
      return row("left", block.html);
    case "columns": {
      const { columns } = block;
      const width = Math.floor(style.width / columns.length);
      const inner = { ...style, width: width - 16 };
      const cells = columns.map((leaves) => {
        const rows = leaves.map((leaf) => renderBlock(leaf, inner)).join("\n");
        return `<td class="column" width="${width}" valign="top" style="width:${width}px;padding:0 8px;vertical-align:top">${table(' width="100%"', rows || row("left", ""))}</td>`;
      });
      return `<tr><td style="padding:0">${table(' width="100%"', `<tr>\n${cells.join("\n")}\n</tr>`)}</td></tr>`;
    }
    case "footer": {
      const css = `margin:0;font:400 13px/20px ${font};color:#5b5b66`;
      const leave = `<a class="muted" href="{{unsubscribe_url}}" style="color:#5b5b66;text-decoration:underline">${escapeText(block.leave)}</a>`;
      const words = block.text === "" ? "" : `${escapeLines(block.text)}<br>`;
      return row(
        "center",
        `<p class="muted" style="${css}">${words}{{#if unsubscribe_url}}${leave}{{/if}}</p>`,
        "16px 0",
      );
    }
  }
}

const styleSheet = ({ accent }: Look) => `<style>
@media (max-width:${WIDTH - 1}px){
.column{display:block !important;width:auto !important}
.rows{table-layout:fixed !important}
}
@media (prefers-color-scheme:dark){
.page{background:#121215 !important}
.card{background:#1b1b20 !important}
.ink{color:#f4f4f5 !important}
.muted{color:#a9a9b5 !important}
.line{border-color:#44444d !important}
.link{color:${onDark(accent)} !important}
}
</style>
<!--[if mso]>
<style>table{border-collapse:collapse}td,th,h1,h2,h3,p,a,li{font-family:Arial,sans-serif !important}</style>
<![endif]-->`;

/** Returns the HTML of a mail as lines, with the block of each line. */
function linesOf({ look, blocks }: Mail, isMarked = false): { line: string; id?: string }[] {
  const style = { look, font: FONTS[look.font], width: WIDTH - 2 * EDGE, isMarked };
  const plain = (html: string) => html.split("\n").map((line) => ({ line }));
  const hidden =
    "display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;mso-hide:all";
  const preheader =
    look.preheader === "" ? "" : `\n<div style="${hidden}">${escapeText(look.preheader)}</div>`;
  const { background } = look;
  return [
    ...plain(`<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
${styleSheet(look)}
</head>
<body class="page" style="margin:0;padding:0;background:${background}">${preheader}
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${background}" style="background:${background}"><tr><td align="center" style="padding:24px 8px">
<!--[if mso]><table role="presentation" width="${WIDTH}" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="max-width:${WIDTH}px;background:#ffffff;border-radius:8px"><tr><td style="padding:${EDGE}px">
<table role="presentation" class="rows" width="100%" cellpadding="0" cellspacing="0" border="0">`),
    ...blocks.flatMap((block) =>
      renderBlock(block, style)
        .split("\n")
        .map((line) => ({ line, id: block.id })),
    ),
    ...plain(`</table>
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>`),
  ];
}

/** Returns the HTML of a mail; if `isMarked`, each block's row has its id as `data-block`. */
export const renderMail = (mail: Mail, isMarked = false): string =>
  linesOf(mail, isMarked)
    .map(({ line }) => line)
    .join("\n");

/** Returns the id of the block that renders a line of the HTML; lines count from 1. */
export const blockAtLine = (mail: Mail, line: number): string | undefined =>
  linesOf(mail)[line - 1]?.id;
