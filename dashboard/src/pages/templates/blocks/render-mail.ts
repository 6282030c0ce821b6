/*
 * Renders blocks as HTML: tables with inline styles, because Outlook supports no other layout and
 * some Gmail clients drop style sheets. Widths are also attributes, for Outlook.
 */
import { onDark, tintOf } from "./colors.ts";
import { FONTS, type Block, type ColumnsBlock, type Look, type Mail } from "./model.ts";
import { isWideImage, renderLeaf, table, WIDTH } from "./render-leaf.ts";
import { toneOnAccent, toneOnWhite, type Style } from "./render-text.ts";
import { escapeText } from "./variables.ts";

/** Space left and right of the content, in pixels. */
const EDGE = 32;
/** Space left and right of a column, in pixels. */
const GUTTER = 8;

const bandOf = (block: Block | undefined) => (block?.type === "columns" ? block.band : undefined);

/** Renders a block as rows; an empty one has none. `mail` is what it stands in, at the top level. */
function renderBlock(block: Block, style: Style, mail: readonly Block[] = []): string {
  const rows =
    block.type === "columns" ? renderColumns(block, style, mail) : renderLeaf(block, style);
  return style.isMarked ? rows.replace(/^<tr/, `<tr data-block="${block.id}"`) : rows;
}

function renderColumns(block: ColumnsBlock, style: Style, mail: readonly Block[]): string {
  const { columns, band, first } = block;
  const { look } = style;
  const all = style.width + 2 * GUTTER;
  const shareOf = (at: number) =>
    first === undefined || columns.length !== 2
      ? 1 / columns.length
      : (at === 0 ? first : 100 - first) / 100;
  const tone = band === "accent" ? toneOnAccent(look) : style.tone;
  const cells = columns.map((leaves, at) => {
    const width = Math.floor(all * shareOf(at)) - 2 * GUTTER;
    const inner = { ...style, tone, width, edge: 0 };
    const rows = leaves.map((leaf) => renderBlock(leaf, inner)).join("\n");
    return `<td class="column" width="${width}" valign="top" style="width:${width}px;padding:0 ${GUTTER}px;vertical-align:top">${table(' width="100%"', rows || "<tr><td>&nbsp;</td></tr>")}</td>`;
  });
  const side = style.edge - GUTTER;
  const color = band === "accent" ? look.accent : tintOf(look.accent);
  const at = mail.indexOf(block);
  // bands of one kind that follow each other are one
  const [above, below] = [at - 1, at + 1].map((next) => (bandOf(mail[next]) === band ? 0 : 24));
  const cell = band
    ? `<td class="columns ${band}" bgcolor="${color}" style="padding:${above}px ${side}px ${below}px;background:${color}">`
    : `<td class="columns" style="padding:0 ${side}px">`;
  return `<tr>${cell}${table(' width="100%"', `<tr>\n${cells.join("\n")}\n</tr>`)}</td></tr>`;
}

const styleSheet = ({ accent }: Look) => `<style>
@media (max-width:${WIDTH - 1}px){
.column{display:block !important;width:auto !important;padding-bottom:12px !important}
.fill{width:100% !important}
.rows{table-layout:fixed !important}
.edge{padding-left:20px !important;padding-right:20px !important}
.columns{padding-left:${20 - GUTTER}px !important;padding-right:${20 - GUTTER}px !important}
.title{font-size:32px !important;line-height:38px !important}
}
@media (prefers-color-scheme:dark){
.page{background:#121215 !important}
.card{background:#1b1b20 !important}
.soft{background:#27272e !important}
.ink{color:#f4f4f5 !important}
.muted{color:#a9a9b5 !important}
.line{border-color:#44444d !important}
.link{color:${onDark(accent)} !important;border-color:${onDark(accent)} !important}
}
</style>
<!--[if mso]>
<style>table{border-collapse:collapse}td,th,h1,h2,h3,p,a,li{font-family:Arial,sans-serif !important}</style>
<![endif]-->`;

/** Space above the first block and below the last, unless they reach to the edge of the mail. */
function spaceBeside(block: Block | undefined): string {
  const isFilled = bandOf(block) !== undefined || (block?.type === "image" && isWideImage(block));
  return isFilled ? "" : `\n<tr><td height="24" style="height:24px;font-size:0">&nbsp;</td></tr>`;
}

/** Returns the HTML of a mail as lines, with the block of each line. */
function linesOf({ look, blocks }: Mail, isMarked = false): { line: string; id?: string }[] {
  const width = WIDTH - 2 * EDGE;
  const font = FONTS[look.font];
  const headingFont = FONTS[look.headingFont ?? look.font];
  const style = { look, font, headingFont, tone: toneOnWhite(look), width, edge: EDGE, isMarked };
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
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="max-width:${WIDTH}px;background:#ffffff;border-radius:8px"><tr><td style="padding:0;border-radius:8px;overflow:hidden">
<table role="presentation" class="rows" width="100%" cellpadding="0" cellspacing="0" border="0">${spaceBeside(blocks[0])}`),
    ...blocks.flatMap((block) =>
      renderBlock(block, style, blocks)
        .split("\n")
        .map((line) => ({ line, id: block.id })),
    ),
    ...plain(`${spaceBeside(blocks.at(-1)).trimStart()}</table>
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
