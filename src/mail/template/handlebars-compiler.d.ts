// Types of the modules of Handlebars 4.7 (MIT) that parse and compile; see handlebars-runtime.d.ts.

declare module "handlebars/dist/cjs/handlebars/compiler/compiler.js" {
  import type { Program } from "handlebars/dist/cjs/handlebars/compiler/parser.js";
  import type { SourceLocation } from "handlebars/dist/cjs/handlebars/compiler/helpers.js";

  export interface CompileOptions {
    noEscape?: boolean;
    strict?: boolean;
    assumeObjects?: boolean;
    compat?: boolean;
    knownHelpers?: Record<string, boolean>;
    knownHelpersOnly?: boolean;
    explicitPartialContext?: boolean;
    preventIndent?: boolean;
    ignoreStandalone?: boolean;
    /** True to pass `@data` on; always true here. */
    data?: boolean;
  }

  /** Opcode names and their arguments, as the opcode compiler writes them. */
  export type Instruction =
    | { opcode: "append" | "appendEscaped" | "pushContext"; args: [] }
    | { opcode: "resolvePossibleLambda" | "ambiguousBlockValue"; args: [] }
    | { opcode: "pushHash" | "popHash"; args: [] }
    | { opcode: "appendContent" | "pushString" | "assignToHash" | "blockValue"; args: [string] }
    | { opcode: "getContext"; args: [depth: number] }
    | { opcode: "pushLiteral"; args: [number | boolean | "undefined" | "null"] }
    | {
        opcode: "lookupOnContext";
        args: [parts: string[], falsy?: boolean, strict?: boolean, scoped?: boolean];
      }
    | { opcode: "lookupBlockParam"; args: [id: [level: number, index: number], parts: string[]] }
    | { opcode: "lookupData"; args: [depth: number, parts: string[], strict?: boolean] }
    | { opcode: "emptyHash"; args: [omit?: boolean] }
    | { opcode: "pushProgram"; args: [child?: number | null] }
    | { opcode: "invokeHelper"; args: [count: number, name: string, isSimple: boolean] }
    | { opcode: "invokeKnownHelper" | "registerDecorator"; args: [count: number, name: string] }
    | { opcode: "invokeAmbiguous"; args: [name: string, isBlock: boolean] }
    | {
        opcode: "invokePartial";
        args: [isDynamic: boolean, name: string | undefined, indent: string];
      };

  export type Opcode = Instruction & { loc: SourceLocation };

  /** One block of a template as the opcode compiler produces it. */
  export interface ProgramCode {
    opcodes: Opcode[];
    children: ProgramCode[];
    blockParams: number;
    usePartial?: boolean;
    useDepths?: boolean;
    useDecorators?: boolean;
  }

  export const Compiler: new () => {
    compile(program: Program, options: CompileOptions): ProgramCode;
  };
}

declare module "handlebars/dist/cjs/handlebars/compiler/helpers.js" {
  /** Lines count from 1, columns from 0. */
  export interface Position {
    line: number;
    column: number;
  }
  export interface SourceLocation {
    start: Position;
    end: Position;
  }
  export interface LexerLocation {
    first_line: number;
    first_column: number;
    last_line: number;
    last_column: number;
  }
  export const SourceLocation: new (
    source: string | undefined,
    location: LexerLocation,
  ) => SourceLocation;
}

declare module "handlebars/dist/cjs/handlebars/compiler/parser.js" {
  import type {
    LexerLocation,
    SourceLocation,
  } from "handlebars/dist/cjs/handlebars/compiler/helpers.js";

  export interface Node {
    loc: SourceLocation;
  }
  export interface Program extends Node {
    type: "Program";
    body: Statement[];
    blockParams?: string[];
  }
  export interface Call extends Node {
    path: PathExpression | Literal;
    params: Expression[];
    hash?: { pairs: { key: string; value: Expression }[] };
  }
  export interface MustacheStatement extends Call {
    type: "MustacheStatement" | "Decorator";
  }
  export interface BlockStatement extends Call {
    type: "BlockStatement" | "DecoratorBlock";
    program?: Program;
    inverse?: Program;
  }
  export interface PartialStatement extends Omit<Call, "path"> {
    type: "PartialStatement" | "PartialBlockStatement";
    name: PathExpression | Literal | SubExpression;
    program?: Program;
  }
  export interface TextStatement extends Node {
    type: "ContentStatement" | "CommentStatement";
  }
  export interface SubExpression extends Call {
    type: "SubExpression";
  }
  export interface PathExpression extends Node {
    type: "PathExpression";
    data: boolean;
    depth: number;
    parts: string[];
    original: string;
  }
  export interface Literal extends Node {
    type: "StringLiteral" | "NumberLiteral" | "BooleanLiteral" | "UndefinedLiteral" | "NullLiteral";
    original?: string | number | boolean | null;
    value?: string | number | boolean | null;
  }
  export type Statement = MustacheStatement | BlockStatement | PartialStatement | TextStatement;
  export type Expression = SubExpression | PathExpression | Literal;

  export interface Lexer {
    /** The next token: its number, its name, or undefined if there is none yet. */
    next(): number | string | undefined;
    /** Returns the last token to the input. */
    unput(text: string): void;
    yylloc: LexerLocation;
    yytext: string;
    /** The unread rest of the source. */
    _input: string;
  }
  export interface ParseFailure {
    text: string;
    token: string | number | null;
    expected?: string[];
  }
  export interface Parser {
    parse(source: string): Program;
    parseError(message: string, failure: ParseFailure): never;
    lexer: Lexer;
    terminals_: Record<number, string>;
    yy: object;
    Parser: new () => Parser;
  }
  const parser: Parser;
  export default parser;
}

declare module "handlebars/dist/cjs/handlebars/compiler/whitespace-control.js" {
  import type { CompileOptions } from "handlebars/dist/cjs/handlebars/compiler/compiler.js";
  import type { Program } from "handlebars/dist/cjs/handlebars/compiler/parser.js";

  const WhitespaceControl: new (options: CompileOptions) => { accept(program: Program): Program };
  export default WhitespaceControl;
}
