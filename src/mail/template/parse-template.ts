// Runs Handlebars' own grammar (https://handlebarsjs.com/guide/) on its generated parser. Templates
// are untrusted. The parser copies its stack at every reduction, which is quadratic for deep input
// before any tree exists to check. Nesting and length are therefore limited token by token.
import * as grammarActions from "handlebars/dist/cjs/handlebars/compiler/helpers.js";
import runtime from "handlebars/dist/cjs/handlebars.runtime.js";
import type { CompileOptions } from "handlebars/dist/cjs/handlebars.runtime.js";
import parser from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import type {
  Lexer,
  LexerLocation,
  Program,
} from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import WhitespaceControl from "handlebars/dist/cjs/handlebars/compiler/whitespace-control.js";
import { utf8Length } from "./budget.ts";
import { templateFault } from "../../messages/templates.ts";
import { TemplateSyntaxError } from "./errors.ts";
import type { TemplatePosition } from "./errors.ts";
import { explainParseFailure } from "./explain-parse-failure.ts";
import { MAX_SOURCE_BYTES } from "./limits.ts";
import { createTokenGuard } from "./token-guard.ts";
import type { TokenGuard } from "./token-guard.ts";

/**
 * Parses a template and applies its whitespace control; throws TemplateSyntaxError.
 * Source: Handlebars 4.7, compiler/base.js.
 */
export function parseTemplate(source: string, options: CompileOptions): Program {
  if (source.length > MAX_SOURCE_BYTES || utf8Length(source) > MAX_SOURCE_BYTES) {
    throw new TemplateSyntaxError(
      templateFault("template_too_long", { max: MAX_SOURCE_BYTES / 1024 }),
    );
  }
  if (source.includes("\0")) throw new TemplateSyntaxError(templateFault("nul_in_template"));
  try {
    return new WhitespaceControl(options).accept(createParser().parse(source));
  } catch (error) {
    throw error instanceof runtime.Exception ? explainException(error) : error;
  }
}

/** Explains a block closed by another name, or a path that the grammar alone accepts. */
function explainException({
  message,
  lineNumber = 1,
  column = 0,
}: InstanceType<typeof runtime.Exception>) {
  const position = { line: lineNumber, column: column + 1 };
  // Handlebars appends the position.
  const reason = message.replace(/ - \d+:\d+$/, "");
  const [, open, close] = /^([^]+) doesn't match ([^]+)$/.exec(reason) ?? [];
  const fault =
    open === undefined || close === undefined
      ? templateFault("handlebars", { reason })
      : templateFault("other_block_closed", { open, close });
  return new TemplateSyntaxError(fault, position);
}

function createParser() {
  const guard = createTokenGuard();
  const instance = new parser.Parser();
  instance.lexer = createLexer(guard);
  instance.yy = {
    ...grammarActions,
    locInfo: (location: LexerLocation) => new grammarActions.SourceLocation(undefined, location),
  };
  instance.parseError = (_message, failure) => {
    throw explainParseFailure(failure, positionOf(instance.lexer), guard.openBlock());
  };
  return instance;
}

function createLexer(guard: TokenGuard): Lexer {
  const lexer: Lexer = Object.create(parser.lexer);
  let inputBefore = "";
  lexer.next = () => {
    inputBefore = lexer._input;
    const token = parser.lexer.next.call(lexer);
    if (token !== undefined) {
      guard.see(typeof token === "number" ? parser.terminals_[token] : token, positionOf(lexer));
    }
    return token;
  };
  // The lexer unreads `{{!--` to read it again as a comment. Its own method copies the rest of the
  // template each time, which took 26 s for half a megabyte of comments.
  lexer.unput = () => {
    lexer._input = inputBefore;
    const { first_line, first_column } = lexer.yylloc;
    lexer.yylloc = { first_line, first_column, last_line: first_line, last_column: first_column };
    lexer.yytext = "";
  };
  return lexer;
}

function positionOf(lexer: Lexer): TemplatePosition {
  return { line: lexer.yylloc.first_line, column: lexer.yylloc.first_column + 1 };
}
