import type { ParseFailure } from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import { cutText } from "../../lib/cut-text.ts";
import { templateFault } from "../../messages/templates.ts";
import { TemplateSyntaxError } from "./errors.ts";
import type { TemplatePosition } from "./errors.ts";

/** Tokens that are valid only inside a block. */
const BLOCK_PARTS = new Set(["OPEN_ENDBLOCK", "INVERSE", "OPEN_INVERSE_CHAIN"]);

const MAX_QUOTED_CHARS = 30;

/**
 * Returns the error for a position where the grammar does not match; `openBlock` is the start of
 * the innermost open block.
 */
export function explainParseFailure(
  { token, text }: ParseFailure,
  position: TemplatePosition,
  openBlock: TemplatePosition | undefined,
): TemplateSyntaxError {
  if (token === null) {
    return new TemplateSyntaxError(templateFault("comment_not_closed"), position);
  }
  if (token === "EOF") {
    return openBlock === undefined
      ? new TemplateSyntaxError(templateFault("tag_not_closed"), position)
      : new TemplateSyntaxError(templateFault("block_not_closed"), openBlock);
  }
  const found = `"${cutText(text, MAX_QUOTED_CHARS)}"`;
  const isStray = openBlock === undefined && BLOCK_PARTS.has(String(token));
  const code = isStray ? "token_outside_block" : "token_not_allowed";
  return new TemplateSyntaxError(templateFault(code, { found }), position);
}
