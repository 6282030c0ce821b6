/* Renders the blocks that contain no others, each as a row of a table. */
import { inkOn } from "./colors.ts";
import type {
  Align,
  ButtonBlock,
  FooterBlock,
  HeadingBlock,
  ImageBlock,
  LeafBlock,
  QuoteBlock,
  SocialBlock,
} from "./model.ts";
import { classOf, renderParagraphs, type Style } from "./render-text.ts";
import { escapeLines, escapeText, safeImageUrl, safeUrl } from "./variables.ts";

/** Width of the mail in pixels. */
export const WIDTH = 600;

const HEADINGS = [
  [40, 46],
  [28, 36],
  [20, 28],
  [16, 24],
] as const;

export const table = (attributes: string, content: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${attributes}>${content}</table>`;

/** A row of the mail's layout table, or of a column. */
function row({ edge }: Style, align: Align, content: string, gap = 8): string {
  const named = edge === 0 ? "" : ' class="edge"';
  return `<tr><td${named} align="${align}" style="padding:${gap}px ${edge}px;text-align:${align}">${content}</td></tr>`;
}

function renderHeading({ level, align, text }: HeadingBlock, style: Style): string {
  const [size, height] = HEADINGS[level];
  const tag = `h${Math.max(1, level)}`;
  const css = `margin:0;font:700 ${size}px/${height}px ${style.headingFont};color:${style.tone.ink}`;
  const named = classOf("ink", style, level === 0 ? " title" : "");
  return row(style, align, `<${tag} ${named} style="${css}">${escapeText(text)}</${tag}>`);
}

function renderButton({ label, url, align, isOutlined }: ButtonBlock, style: Style): string {
  const { accent } = style.tone;
  const ink = isOutlined ? accent : inkOn(accent);
  const [high, wide] = isOutlined ? [10, 22] : [12, 24];
  const css = `display:inline-block;padding:${high}px ${wide}px;font:600 16px/20px ${style.font};color:${ink};text-decoration:none;border-radius:6px;mso-padding-alt:0`;
  const named = isOutlined ? ` ${classOf("link", style)}` : "";
  const href = safeUrl(url);
  const words = escapeText(label);
  const face =
    href === undefined
      ? `<span${named} style="${css}">${words}</span>`
      : `<a${named} href="${escapeText(href)}" target="_blank" style="${css}">${words}</a>`;
  const padding = `border-radius:6px;mso-padding-alt:${high}px ${wide}px`;
  const cell = isOutlined
    ? `<td ${classOf("link", style)} style="border:2px solid ${accent};${padding}">`
    : `<td bgcolor="${accent}" style="background:${accent};${padding}">`;
  return row(style, align, table(` align="${align}"`, `<tr>${cell}${face}</td></tr>`), 12);
}

function renderImage(block: ImageBlock, style: Style): string {
  const { src, alt, url, align } = block;
  const from = safeImageUrl(src);
  if (from === undefined) return "";
  const isWide = isWideImage(block) && style.edge > 0;
  const pixels = isWide ? WIDTH : Math.round((style.width * block.width) / 100);
  const css = `display:inline-block;width:${pixels}px;max-width:100%;height:auto;border:0;font:400 14px/20px ${style.font};color:${style.tone.muted}`; // the font is that of the description
  const named = classOf("muted", style, style.edge === 0 && block.width === 100 ? " fill" : "");
  const image = `<img ${named} src="${escapeText(from)}" alt="${escapeText(alt)}" width="${pixels}" border="0" style="${css}">`;
  const href = url === "" ? undefined : safeUrl(url);
  const linked =
    href === undefined ? image : `<a href="${escapeText(href)}" target="_blank">${image}</a>`;
  return isWide
    ? `<tr><td style="padding:0;font-size:0;line-height:0">${linked}</td></tr>`
    : row(style, align, linked);
}

/** Returns true for an image that reaches from edge to edge of the mail. */
export const isWideImage = (block: ImageBlock): boolean =>
  block.isWide === true && safeImageUrl(block.src) !== undefined;

function renderQuote({ text, by }: QuoteBlock, style: Style): string {
  const { font, tone } = style;
  const said = `<p ${classOf("ink", style)} style="margin:0;font:italic 400 18px/28px ${font};color:${tone.ink}">${escapeLines(text)}</p>`;
  const whose = `<p ${classOf("muted", style)} style="margin:8px 0 0;font:400 14px/20px ${font};color:${tone.muted}">${escapeText(by)}</p>`;
  const cell = `<tr><td ${classOf("link", style)} style="padding:4px 0 4px 16px;border-left:4px solid ${tone.accent};text-align:left">${said}${by === "" ? "" : whose}</td></tr>`;
  return row(style, "left", table(' width="100%"', cell), 12);
}

function renderSocial({ links, align }: SocialBlock, style: Style): string {
  const css = `color:${style.tone.accent};text-decoration:underline`;
  const shown = links.flatMap(({ label, url }) => {
    const href = safeUrl(url);
    if (href === undefined || label === "") return [];
    return `<a ${classOf("link", style)} href="${escapeText(href)}" target="_blank" style="${css}">${escapeText(label)}</a>`;
  });
  const words = `<p ${classOf("muted", style)} style="margin:0;font:400 14px/24px ${style.font};color:${style.tone.muted}">${shown.join(" &nbsp;·&nbsp; ")}</p>`;
  return shown.length === 0 ? "" : row(style, align, words);
}

function renderFooter({ text, view, leave }: FooterBlock, style: Style): string {
  const { font, tone } = style;
  const named = classOf("muted", style);
  const link = (variable: string, label: string) =>
    `<a ${named} href="{{${variable}}}" style="color:${tone.muted};text-decoration:underline">${escapeText(label)}</a>`;
  const [viewing, between] = view
    ? [`{{#if view_url}}${link("view_url", view)}{{/if}}`, "{{#if view_url}} &nbsp;·&nbsp; {{/if}}"]
    : ["", ""];
  const words = text === "" ? "" : `${escapeLines(text)}<br>`;
  const css = `margin:0;font:400 13px/20px ${font};color:${tone.muted}`;
  return row(
    style,
    "center",
    `<p ${named} style="${css}">${words}${viewing}{{#if unsubscribe_url}}${between}${link("unsubscribe_url", leave)}{{/if}}</p>`,
    16,
  );
}

/** Renders a block as rows; an empty one has none. */
export function renderLeaf(block: LeafBlock, style: Style): string {
  switch (block.type) {
    case "heading":
      return renderHeading(block, style);
    case "text":
      return row(style, block.align, renderParagraphs(block, style));
    case "button":
      return renderButton(block, style);
    case "image":
      return renderImage(block, style);
    case "divider": {
      const color = style.tone.isFixed ? style.tone.ink : "#dcdce1";
      const css = `border-top:1px solid ${color};font-size:0;line-height:0`;
      const line = `<tr><td ${classOf("line", style)} height="1" style="${css}">&nbsp;</td></tr>`;
      return row(style, "left", table(' width="100%"', line), 16);
    }
    case "spacer":
      return `<tr><td height="${block.height}" style="height:${block.height}px;font-size:0;line-height:0">&nbsp;</td></tr>`;
    case "quote":
      return renderQuote(block, style);
    case "social":
      return renderSocial(block, style);
    case "html":
      return row(style, "left", block.html);
    case "footer":
      return renderFooter(block, style);
  }
}
