import type {
  Bag,
  BlockFunction,
  CompileOptions,
  Container,
} from "handlebars/dist/cjs/handlebars.runtime.js";
import type {
  Arguments,
  PartialStatement,
  PathExpression,
  Program,
} from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import type { Message } from "../../messages/message.ts";
import type { Budget } from "./budget.ts";
import { TemplateSyntaxError } from "./errors.ts";

/** A running block. */
export interface Frame {
  container: Container;
  /** `this`. */
  context: unknown;
  /** The `@` variables. */
  data: unknown;
  /** Values named by `as |…|`, one list for each block that names some, innermost first. */
  blockParams: unknown[][];
  /** The different contexts from here to the root, for `../`. */
  depths: unknown[];
}

/** Computes a value in a frame. */
export type Read = (frame: Frame) => unknown;

/** Computes a piece of output in a frame. */
export type Print = (frame: Frame) => string;

/** Wraps a block just before it runs, for `{{#*inline}}`. */
export type Decorate = (block: BlockFunction, props: Bag, frame: Frame) => BlockFunction;

/** What all blocks of a template share. */
export interface Unit {
  options: CompileOptions;
  budget: Budget;
  /** Builds a block of a call. */
  buildBlock(this: void, scope: Scope, program: Program): (frame: Frame) => BlockFunction;
  hasDecorators: boolean;
  /** Partials that the template defines under a fixed name. */
  defined: Set<string>;
  /** True if the name of some definition is determined at render time. */
  definesAny: boolean;
  /** Partials used by a fixed name, without fallback contents. */
  used: PartialStatement[];
}

/** A block while it is built. */
export interface Scope {
  unit: Unit;
  /** Index of each name from `as |…|`, one map for each block that has some, innermost first. */
  blockParams: Map<string, number>[];
  /** Cost of one run, without nested blocks. */
  steps: number;
  textBytes: number;
  decorations: Decorate[];
}

/** Returns true for a path that begins with `this`, `.` or `..`, so it is no helper. */
export function isScoped(path: PathExpression): boolean {
  return /^\.|this\b/.test(path.original);
}

/** Returns the place of a name from `as |…|`: the block's level and the name's index. */
export function findBlockParam(
  { blockParams }: Scope,
  path: PathExpression,
): [level: number, index: number] | undefined {
  const [name] = path.parts;
  if (name === undefined || path.depth > 0 || isScoped(path)) return undefined;
  const level = blockParams.findIndex((names) => names.has(name));
  const index = blockParams[level]?.get(name);
  return index === undefined ? undefined : [level, index];
}

/** Rejects a tag that can never render. */
export function reject({ loc }: Pick<Arguments, "loc">, reason: Message): never {
  throw new TemplateSyntaxError(reason, { line: loc.start.line, column: loc.start.column + 1 });
}
