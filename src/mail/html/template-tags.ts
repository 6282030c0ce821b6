/**
 * Replaces the tags of a Handlebars template (https://handlebarsjs.com/guide/) so that the HTML
 * around them can be parsed, and restores them.
 *
 * Supports only tags that produce no markup: escaped variables, blocks and comments. Any other tag,
 * and any text that this scanner might read differently from the Handlebars lexer (braces,
 * backslashes and brackets in strings), makes the template unknown.
 */

/**
 * Placeholders for tags: one noncharacter each (Unicode, section 23.7), which no document contains.
 */
const MASKS = { value: "\ufdd0", open: "\ufdd1", otherwise: "\ufdd2", close: "\ufdd3" };

/** Matches one masked tag. */
export const MASK = /[\ufdd0-\ufdd3]/;
const EVERY_MASK = /[\ufdd0-\ufdd3]/g;

const TAG =
  /\{\{~?(?:!(?=--)[\s\S]*?--~?\}\}|!(?!--)[\s\S]*?\}\}|(?:[^{}<>"'`&*![\]\\]|"[^"{}\\]*"|'[^'{}\\]*'|\[[^\]{}\\]*\])*\}\}(?!\}))/y;

/** A template with each tag replaced by one character, and the tags in order. */
export interface MaskedTemplate {
  text: string;
  tags: string[];
}

export type Masking = { kind: "masked"; template: MaskedTemplate } | { kind: "unknown" };

/** Masks the tags of a template. Linear in its length. */
export function maskTags(source: string): Masking {
  if (MASK.test(source)) return { kind: "unknown" };
  const pieces: string[] = [];
  const tags: string[] = [];
  let position = 0;
  for (;;) {
    const start = source.indexOf("{{", position);
    if (start === -1) break;
    TAG.lastIndex = start;
    const tag = TAG.exec(source)?.[0];
    if (tag === undefined || source[start - 1] === "\\") return { kind: "unknown" };
    pieces.push(source.slice(position, start), maskOf(tag));
    tags.push(tag);
    position = start + tag.length;
  }
  pieces.push(source.slice(position));
  return { kind: "masked", template: { text: pieces.join(""), tags } };
}

/**
 * Returns the mask of a tag. As in Handlebars, every name that starts with `else` is an inverse.
 */
function maskOf(tag: string): string {
  if (/^\{\{~?(?:\^\s*~?\}\}|\s*else)/.test(tag)) return MASKS.otherwise;
  if (/^\{\{~?[#^]/.test(tag)) return MASKS.open;
  return /^\{\{~?\//.test(tag) ? MASKS.close : MASKS.value;
}

/** Puts the tags back in order. */
export function unmaskTags({ text, tags }: MaskedTemplate): string {
  let next = 0;
  return text.replace(EVERY_MASK, () => tags[next++] ?? "");
}

/** Returns the number of masked tags in a text. */
export function countMasks(text: string): number {
  return text.match(EVERY_MASK)?.length ?? 0;
}

/** Returns true if exactly the blocks that begin in a piece of masked text end in it. */
export function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [mask] of text.matchAll(EVERY_MASK)) {
    if (mask === MASKS.open) depth++;
    if (mask === MASKS.otherwise && depth === 0) return false;
    if (mask === MASKS.close && --depth < 0) return false;
  }
  return depth === 0;
}
