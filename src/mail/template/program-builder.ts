import type {
  Bag,
  BlockFunction,
  DecoratorFunction,
  ProgramFunction,
} from "handlebars/dist/cjs/handlebars.runtime.js";
import type { CompileOptions } from "handlebars/dist/cjs/handlebars/compiler/compiler.js";
import type { SourceLocation } from "handlebars/dist/cjs/handlebars/compiler/helpers.js";
import type { Budget } from "./budget.ts";
import { utf8Length } from "./budget.ts";
import type { Call } from "./call-helper.ts";
import type { Expression, Frame, Statement } from "./frame.ts";

/** State shared by all programs of one template during generation. */
export interface TemplateBuilder {
  options: CompileOptions;
  budget: Budget;
  programs: Record<`${number}`, ProgramFunction>;
  decorators: Record<`${number}_d`, DecoratorFunction>;
  programCount: number;
  useDepths: boolean;
  useBlockParams: boolean;
  /** Replaces a block that a call omits; charged, because a loop may call it for every item. */
  noop: BlockFunction;
}

/** Wraps a block just before it runs, for `{{#*inline}}`. */
export type Decoration = (block: BlockFunction, props: Bag, frame: Frame) => BlockFunction;

type BlockSource = ((frame: Frame) => BlockFunction) | undefined;
type HashSource = (frame: Frame) => Bag | undefined;

/** One program (a block's contents) while its opcodes are read; they work on three stacks. */
export interface ProgramBuilder {
  template: TemplateBuilder;
  /** The runtime's index and block parameter count of each child program. */
  children: { index: number; blockParams: number }[];
  values: Expression[];
  blocks: BlockSource[];
  hashes: HashSource[];
  /** The open `key=value` lists, innermost last. */
  openHashes: [key: string, value: Expression][][];
  statements: Statement[];
  decorations: Decoration[];
  /** Pending text, which adjacent text extends. */
  text: string;
  /** Levels of context between here and the start of the next lookup. */
  contextDepth: number;
  /** The name of the last call that is either a helper or a value. */
  ambiguousName: string;
  loc: SourceLocation;
  /** Cost of one run before its nested programs. */
  steps: number;
  textBytes: number;
}

/** Adds a piece of output; it costs a step. */
export function emit(program: ProgramBuilder, statement: Statement): void {
  flushText(program);
  program.steps++;
  program.statements.push(statement);
}

export function flushText(program: ProgramBuilder): void {
  const { text } = program;
  if (text === "") return;
  program.text = "";
  program.steps++;
  program.textBytes += utf8Length(text);
  program.statements.push(() => text);
}

/** Pops the newest value. */
export function popValue(program: ProgramBuilder): Expression {
  return pop(program.values);
}

const NO_PARAMS: readonly Expression[] = [];

/** Pops a call: its hash, its two blocks and `paramCount` arguments. */
export function popCall(program: ProgramBuilder, name: string, paramCount: number): Call {
  const hash = pop(program.hashes);
  const inverse = program.blocks.pop();
  const fn = program.blocks.pop();
  const params =
    paramCount === 0 ? NO_PARAMS : program.values.splice(program.values.length - paramCount);
  program.steps += paramCount;
  return { name, params, hash, fn, inverse };
}

/** Pops the newest item; an empty stack means opcodes that this generator does not support. */
export function pop<T>(stack: T[]): T {
  const item = stack.pop();
  if (item === undefined) throw new Error("template opcodes out of order");
  return item;
}
