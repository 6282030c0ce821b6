import type { ParseFailure } from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import { TemplateSyntaxError } from "./errors.ts";
import type { TemplatePosition } from "./errors.ts";
import type { TokenGuard } from "./token-guard.ts";
import { cutText } from "../../lib/cut-text.ts";

/** Plain wording for the grammar's token names; names with one meaning share it. */
const TOKEN_WORDS: Record<string, string> = {
  EOF: "the end of the template",
  CONTENT: "text",
  COMMENT: "text",
  OPEN: "a tag",
  OPEN_UNESCAPED: "a tag",
  OPEN_BLOCK: "a tag",
  OPEN_INVERSE: "a tag",
  OPEN_PARTIAL: "a tag",
  OPEN_PARTIAL_BLOCK: "a tag",
  OPEN_RAW_BLOCK: "a tag",
  INVERSE: "{{else}}",
  OPEN_INVERSE_CHAIN: "{{else}}",
  OPEN_ENDBLOCK: "a closing tag",
  END_RAW_BLOCK: "a closing tag",
  CLOSE: "}}",
  CLOSE_UNESCAPED: "}}}",
  CLOSE_RAW_BLOCK: "}}}}",
  OPEN_SEXPR: "a value",
  CLOSE_SEXPR: ")",
  ID: "a name",
  STRING: "a value",
  NUMBER: "a value",
  BOOLEAN: "a value",
  UNDEFINED: "a value",
  NULL: "a value",
  DATA: "a value",
  EQUALS: "=",
  SEP: "a path separator",
  OPEN_BLOCK_PARAMS: "as |",
  CLOSE_BLOCK_PARAMS: "|",
};

/** Tokens that are valid only inside a block. */
const BLOCK_PARTS = new Set(["OPEN_ENDBLOCK", "INVERSE", "OPEN_INVERSE_CHAIN"]);

const TAG_ENDS = new Set(["CLOSE", "CLOSE_UNESCAPED", "CLOSE_RAW_BLOCK", "CLOSE_SEXPR"]);

const MAX_QUOTED_CHARS = 30;

/**
 * Returns the error for a position where the grammar does not match; `guard` knows what is open.
 */
export function explainParseFailure(
  failure: ParseFailure,
  position: TemplatePosition,
  guard: TokenGuard,
): TemplateSyntaxError {
  if (failure.token === null) {
    return new TemplateSyntaxError("a comment or raw block is not closed", position);
  }
  if (failure.token === "INVALID") {
    return new TemplateSyntaxError(
      `${wordsForFound(failure)} is not allowed here, or its tag is not closed`,
      position,
    );
  }
  const openBlock = guard.openBlock();
  if (failure.token === "EOF" && openBlock !== undefined) {
    return new TemplateSyntaxError("this block is not closed", openBlock);
  }
  if (openBlock === undefined && BLOCK_PARTS.has(String(failure.token))) {
    return new TemplateSyntaxError(`${wordsForFound(failure)} without a block`, position);
  }
  // The parser lists the token names it expects, among them the ends of all kinds of tag.
  const expected = (failure.expected ?? [])
    .map((quotedToken) => quotedToken.slice(1, -1))
    .filter((token) => !TAG_ENDS.has(token) || token === guard.closer())
    .map((token) => TOKEN_WORDS[token] ?? token);
  const words = [...new Set(expected)].join(" or ");
  return new TemplateSyntaxError(`expected ${words}, found ${wordsForFound(failure)}`, position);
}

function wordsForFound(failure: ParseFailure): string {
  if (failure.token === "EOF") return "the end of the template";
  return `"${cutText(failure.text, MAX_QUOTED_CHARS)}"`;
}
