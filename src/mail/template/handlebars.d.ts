// Types of the internal modules of Handlebars 4.7 (MIT) that this folder uses. The package's own
// types cover only its entry point, which imports the code generator that needs `eval`.

declare module "handlebars/dist/cjs/handlebars.runtime.js" {
  import type { SourceLocation } from "handlebars/dist/cjs/handlebars/compiler/parser.js";

  export type Bag = Record<string, unknown>;
  export type HelperFunction = (this: unknown, ...args: unknown[]) => unknown;

  /** A compiled block as helpers receive it. */
  export interface BlockFunction {
    (context: unknown, options?: { data?: unknown; blockParams?: unknown[] }): unknown;
    /** The number of names in its `as |a b|`. */
    blockParams?: number;
    /** Its inline partials. */
    partials?: Bag;
  }

  /** State of one render: prototype-safe lookups, helpers, partials, decorators. */
  export interface Container {
    strict(object: unknown, name: string, location: SourceLocation): unknown;
    lookupProperty(parent: unknown, name: string): unknown;
    lookup(contexts: unknown[], name: string): unknown;
    lambda(value: unknown, context: unknown): unknown;
    escapeExpression(value: unknown): string;
    invokePartial(partial: unknown, context: unknown, options: CallOptions): string;
    data(data: unknown, depth: number): unknown;
    nullContext: object;
    helpers: Bag;
    partials: Bag;
    decorators: Bag;
    hooks: { helperMissing: HelperFunction; blockHelperMissing: HelperFunction };
  }

  /** The last argument of every helper, partial and decorator. */
  export interface CallOptions {
    name: string;
    hash: Bag | undefined;
    fn?: BlockFunction;
    inverse?: BlockFunction;
    data: unknown;
    blockParams: unknown[][];
    args?: unknown[];
    helpers?: Bag;
    partials?: Bag;
    decorators?: Bag;
    depths?: unknown[];
  }

  /** A template for the runtime. */
  export interface TemplateSpec {
    compiler: [revision: number, versions: string];
    main(
      container: Container,
      context: unknown,
      helpers: Bag,
      partials: Bag,
      data: unknown,
      blockParams: undefined,
      depths: unknown[],
    ): string;
    main_d:
      | ((
          block: BlockFunction,
          props: Bag,
          container: Container,
          context: unknown,
          data: unknown,
        ) => BlockFunction)
      | undefined;
    useData: boolean;
    usePartial: boolean;
    useDepths: boolean;
    useDecorators: boolean;
    compilerOptions: CompileOptions;
  }

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
  }

  export interface Template {
    (context: unknown, options?: Bag): string;
    /** Called at the start of each run: merges helpers and sets the access to prototypes. */
    _setup(options: Bag): void;
  }

  export interface Environment {
    helpers: Bag & { lookup: HelperFunction };
    partials: Bag;
    decorators: Bag;
    template(spec: TemplateSpec): Template;
    /** Called by the runtime for a registered partial that is still source. */
    compile?: (source: string, options: CompileOptions) => Template;
    registerHelper(name: string, helper: HelperFunction): void;
    createFrame(data: unknown): Bag;
    SafeString: new (text: string) => object;
  }

  const runtime: {
    create(): Environment;
    Exception: new (message: string) => Error & { lineNumber?: number; column?: number };
  };
  export default runtime;
}

declare module "handlebars/dist/cjs/handlebars/compiler/helpers.js" {
  import type {
    LexerLocation,
    SourceLocation,
  } from "handlebars/dist/cjs/handlebars/compiler/parser.js";

  export const SourceLocation: new (
    source: string | undefined,
    location: LexerLocation,
  ) => SourceLocation;
}

declare module "handlebars/dist/cjs/handlebars/compiler/parser.js" {
  /** Lines count from 1, columns from 0. */
  export interface SourceLocation {
    start: { line: number; column: number };
  }
  export interface LexerLocation {
    first_line: number;
    first_column: number;
    last_line: number;
    last_column: number;
  }

  export interface Node {
    loc: SourceLocation;
  }
  export interface Program extends Node {
    type: "Program";
    body: Statement[];
    blockParams?: string[];
  }
  export interface Arguments extends Node {
    params: Expression[];
    hash?: { pairs: { key: string; value: Expression }[] };
  }
  export interface Call extends Arguments {
    path: PathExpression | Literal;
  }
  export interface MustacheStatement extends Call {
    type: "MustacheStatement";
    escaped: boolean;
  }
  export interface BlockStatement extends Call {
    type: "BlockStatement";
    program?: Program;
    inverse?: Program;
  }
  export interface Decorator extends Call {
    type: "Decorator" | "DecoratorBlock";
    program?: Program;
  }
  export interface PartialStatement extends Arguments {
    type: "PartialStatement" | "PartialBlockStatement";
    name: PathExpression | Literal | SubExpression;
    program?: Program;
    /** Whitespace before a partial on a line of its own. */
    indent?: string;
  }
  export interface TextStatement extends Node {
    type: "ContentStatement" | "CommentStatement";
    value: string;
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
  export type Statement =
    | MustacheStatement
    | BlockStatement
    | Decorator
    | PartialStatement
    | TextStatement;
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
  import type { CompileOptions } from "handlebars/dist/cjs/handlebars.runtime.js";
  import type { Program } from "handlebars/dist/cjs/handlebars/compiler/parser.js";

  const WhitespaceControl: new (options: CompileOptions) => { accept(program: Program): Program };
  export default WhitespaceControl;
}
