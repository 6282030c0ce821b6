// Types of the internal modules of Handlebars 4.7 (MIT) that this folder uses. The package's own
// types cover only its entry point, which imports the code generator that needs `eval`.

declare module "handlebars/dist/cjs/handlebars.runtime.js" {
  import type { CompileOptions } from "handlebars/dist/cjs/handlebars/compiler/compiler.js";
  import type { SourceLocation } from "handlebars/dist/cjs/handlebars/compiler/helpers.js";

  export type Bag = Record<string, unknown>;
  export type HelperFunction = (this: unknown, ...args: unknown[]) => unknown;

  /** A compiled block as helpers receive it. */
  export interface BlockFunction {
    (context: unknown, options?: Bag): unknown;
    partials?: Bag;
  }

  /** State of one render: prototype-safe lookups, helpers, partials, decorators. */
  export interface Container {
    strict(object: unknown, name: string, location: SourceLocation): unknown;
    lookupProperty(parent: unknown, name: string): unknown;
    lookup(contexts: unknown[] | undefined, name: string): unknown;
    lambda(value: unknown, context: unknown): unknown;
    escapeExpression(value: unknown): string;
    invokePartial(partial: unknown, context: unknown, options: CallOptions): string;
    program(
      index: number,
      data: unknown,
      declaredBlockParams: number,
      blockParams: unknown[][] | undefined,
      depths: unknown[] | undefined,
    ): BlockFunction;
    data(data: unknown, depth: number): unknown;
    noop: BlockFunction;
    nullContext: object;
    helpers: Bag;
    partials: Bag | undefined;
    decorators: Bag | undefined;
    hooks: { helperMissing: HelperFunction; blockHelperMissing: HelperFunction };
  }

  /** The last argument of every helper, partial and decorator. */
  export interface CallOptions {
    name?: string;
    hash: Bag | undefined;
    fn?: BlockFunction;
    inverse?: BlockFunction;
    data?: unknown;
    blockParams?: unknown[][] | undefined;
    args?: unknown[];
    helpers?: Bag;
    partials?: Bag | undefined;
    decorators?: Bag | undefined;
    depths?: unknown[] | undefined;
  }

  export type ProgramFunction = (
    container: Container,
    depth0: unknown,
    helpers: Bag,
    partials: Bag | undefined,
    data: unknown,
    blockParams: unknown[][] | undefined,
    depths: unknown[] | undefined,
  ) => string;

  export type DecoratorFunction = (
    block: BlockFunction,
    props: Bag,
    container: Container,
    depth0: unknown,
    data: unknown,
    blockParams: unknown[][] | undefined,
    depths: unknown[] | undefined,
  ) => BlockFunction;

  /** The code generator's output for the runtime; programs and decorators under "0", "0_d", … */
  export interface TemplateSpec {
    compiler: [revision: number, versions: string];
    main: ProgramFunction;
    main_d: DecoratorFunction | undefined;
    [program: `${number}`]: ProgramFunction;
    [decorator: `${number}_d`]: DecoratorFunction | undefined;
    useData: boolean;
    usePartial: boolean;
    useDepths: boolean;
    useBlockParams: boolean;
    useDecorators: boolean;
    compat: boolean;
    compilerOptions: CompileOptions;
  }

  export interface RunOptions {
    data?: Bag;
    helpers?: Bag;
    partials?: Bag;
    decorators?: Bag;
    allowProtoPropertiesByDefault?: boolean;
    allowProtoMethodsByDefault?: boolean;
    allowedProtoProperties?: Record<string, boolean>;
    allowedProtoMethods?: Record<string, boolean>;
    allowCallsToHelperMissing?: boolean;
  }

  export interface Template {
    (context: unknown, options?: RunOptions): string;
    /** Called at the start of each run: merges helpers and sets the access to prototypes. */
    _setup(options: RunOptions): void;
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
    Exception: new (message: string) => Error & { lineNumber?: number; column?: number };
    SafeString: new (text: string) => object;
  }

  const runtime: { create(): Environment };
  export default runtime;
}
