import runtime from "handlebars/dist/cjs/handlebars.runtime.js";
import type { Bag, CompileOptions } from "handlebars/dist/cjs/handlebars.runtime.js";

/** Result of a case in which compiling or rendering throws. */
export const FAILS = Symbol("fails");

/** Uses that a helper of a case makes of its last argument. */
export interface HelperOptions {
  name: string;
  hash: Record<string, unknown>;
  data: Record<string, unknown>;
  fn(context?: unknown, options?: object): string;
  inverse(context?: unknown): string;
}

/** Helpers and decorators with any parameters; the template decides the arguments. */
type AnyFunction = (this: never, ...args: never[]) => unknown;

export interface Setup {
  helpers?: Record<string, AnyFunction>;
  partials?: Record<string, string | AnyFunction>;
  decorators?: Record<string, AnyFunction>;
  compile?: CompileOptions;
  run?: Bag;
}

/** A template, its context, and the output of stock Handlebars 4.7.10. */
export type Case = [
  name: string,
  template: string,
  context: unknown,
  expected: string | typeof FAILS,
  setup?: Setup,
];

const environment = runtime.create();

/** Text that is printed unescaped. */
export const safe = (text: string) => new environment.SafeString(text);

/** New layer of `@` variables over `data`. */
export const frameOver = (data: unknown) => environment.createFrame(data);
