import type { ParseFailure } from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import type { Message } from "../../messages/message.ts";
import { templateFault } from "../../messages/templates.ts";
import { TemplateSyntaxError } from "./errors.ts";
import type { TemplatePosition } from "./errors.ts";
import type { TokenGuard } from "./token-guard.ts";
import { cutText } from "../../lib/cut-text.ts";

const [TEXT, TAG, CLOSING_TAG, VALUE] = [
  templateFault("text_token"),
  templateFault("tag_token"),
  templateFault("closing_tag_token"),
  templateFault("value_token"),
];
const END = templateFault("end_token");

/** Plain wording for the grammar's token names; synonyms share it. */
const TOKEN_WORDS: Record<string, Message | string> = {
  EOF: END,
  CONTENT: TEXT,
  COMMENT: TEXT,
  OPEN: TAG,
  OPEN_UNESCAPED: TAG,
  OPEN_BLOCK: TAG,
  OPEN_INVERSE: TAG,
  OPEN_PARTIAL: TAG,
  OPEN_PARTIAL_BLOCK: TAG,
  OPEN_RAW_BLOCK: TAG,
  INVERSE: "{{else}}",
  OPEN_INVERSE_CHAIN: "{{else}}",
  OPEN_ENDBLOCK: CLOSING_TAG,
  END_RAW_BLOCK: CLOSING_TAG,
  CLOSE: "}}",
  CLOSE_UNESCAPED: "}}}",
  CLOSE_RAW_BLOCK: "}}}}",
  OPEN_SEXPR: VALUE,
  CLOSE_SEXPR: ")",
  ID: templateFault("name_token"),
  STRING: VALUE,
  NUMBER: VALUE,
  BOOLEAN: VALUE,
  UNDEFINED: VALUE,
  NULL: VALUE,
  DATA: VALUE,
  EQUALS: "=",
  SEP: templateFault("separator_token"),
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
  const found = foundIn(failure);
  if (failure.token === null) {
    return new TemplateSyntaxError(templateFault("comment_not_closed"), position);
  }
  if (failure.token === "INVALID") {
    return new TemplateSyntaxError(templateFault("token_not_allowed", { found }), position);
  }
  const openBlock = guard.openBlock();
  if (failure.token === "EOF" && openBlock !== undefined) {
    return new TemplateSyntaxError(templateFault("block_not_closed"), openBlock);
  }
  if (openBlock === undefined && BLOCK_PARTS.has(String(failure.token))) {
    return new TemplateSyntaxError(templateFault("token_outside_block", { found }), position);
  }
  // The parser lists the tokens it expects, including the ends of all kinds of tags.
  const expected = (failure.expected ?? [])
    .map((quotedToken) => quotedToken.slice(1, -1))
    .filter((token) => !TAG_ENDS.has(token) || token === guard.closer())
    .map((token) => TOKEN_WORDS[token] ?? token);
  const words = [...new Set(expected)].reduce<Message | string>(
    (one, other) => (one === "" ? other : templateFault("either_token", { one, other })),
    "",
  );
  const fault = templateFault("other_token_expected", { expected: words, found });
  return new TemplateSyntaxError(fault, position);
}

function foundIn(failure: ParseFailure): Message | string {
  if (failure.token === "EOF") return END;
  return `"${cutText(failure.text, MAX_QUOTED_CHARS)}"`;
}
