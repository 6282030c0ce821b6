import runtime from "handlebars/dist/cjs/handlebars.runtime.js";
import type { RunOptions } from "handlebars/dist/cjs/handlebars.runtime.js";
import type { CompileOptions } from "handlebars/dist/cjs/handlebars/compiler/compiler.js";

/** Compiling or rendering throws. */
export const FAILS = Symbol("fails");

/** What a helper of a case may do with its last argument. */
export interface HelperOptions {
  name: string;
  hash: Record<string, unknown>;
  data: Record<string, unknown>;
  fn(context?: unknown, options?: object): string;
  inverse(context?: unknown): string;
}

/** Helpers and decorators take what they like; the template decides what they get. */
type AnyFunction = (this: never, ...args: never[]) => unknown;

export interface Setup {
  helpers?: Record<string, AnyFunction>;
  partials?: Record<string, string | AnyFunction>;
  decorators?: Record<string, AnyFunction>;
  compile?: CompileOptions;
  run?: Omit<RunOptions, "helpers" | "partials" | "decorators">;
}

/** A template, its context, and what stock Handlebars 4.7.10 makes of them. */
export type Case = [
  name: string,
  template: string,
  context: unknown,
  expected: string | typeof FAILS,
  setup?: Setup,
];

const environment = runtime.create();

/** Text that is printed as it is. */
export const safe = (text: string) => new environment.SafeString(text);

/** A new layer of `@` variables over `data`. */
export const frameOver = (data: unknown) => environment.createFrame(data);
