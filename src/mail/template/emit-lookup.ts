import type { Frame, Expression } from "./frame.ts";
import type { ProgramBuilder } from "./program-builder.ts";
import { popValue } from "./program-builder.ts";
import { resolvePath, resolveStrictPath } from "./resolve-path.ts";

/** `pushContext`: pushes the context selected by `getContext`. */
export function pushContext(program: ProgramBuilder): void {
  program.values.push(contextAt(program.contextDepth));
}

/** `lookupOnContext`: pushes the value of a path such as `a.b`. */
export function lookupOnContext(
  program: ProgramBuilder,
  parts: string[],
  falsy = false,
  strict = false,
  scoped = false,
): void {
  const [first] = parts;
  if (first !== undefined && isRecursive(program, scoped)) {
    const base: Expression = (frame) => frame.container.lookup(frame.depths, first);
    pushPath(program, base, parts.slice(1), falsy, strict);
  } else {
    pushPath(program, contextAt(program.contextDepth), parts, falsy, strict);
  }
}

/** `lookupBlockParam`: pushes a value named by `as |name|`, or a path from it. */
export function lookupBlockParam(
  program: ProgramBuilder,
  [level, index]: [number, number],
  parts: string[],
): void {
  program.template.useBlockParams = true;
  const base: Expression = (frame) => frame.blockParams?.[level]?.[index];
  pushPath(program, base, parts.slice(1), false, false);
}

/** `lookupData`: pushes the value of a path such as `@root.a`. */
export function lookupData(
  program: ProgramBuilder,
  depth: number,
  parts: string[],
  strict = false,
): void {
  const base: Expression =
    depth === 0 ? (frame) => frame.data : (frame) => frame.container.data(frame.data, depth);
  pushPath(program, base, parts, true, strict);
}

/** `resolvePossibleLambda`: replaces a function on the stack with its result. */
export function resolvePossibleLambda(program: ProgramBuilder): void {
  const value = popValue(program);
  program.values.push((frame) => frame.container.lambda(value(frame), frame.depth0));
}

function pushPath(
  program: ProgramBuilder,
  base: Expression,
  parts: string[],
  falsy: boolean,
  strict: boolean,
): void {
  const { options } = program.template;
  program.steps += Math.max(0, parts.length - 1);
  if (options.strict || options.assumeObjects) {
    const terminal = options.strict && strict ? program.loc : undefined;
    program.values.push(resolveStrictPath(base, parts, terminal));
  } else {
    program.values.push(resolvePath(base, parts, falsy));
  }
}

/**
 * Returns true for Mustache compatibility: a bare name is looked up in every context up to the
 * root.
 */
function isRecursive(program: ProgramBuilder, scoped: boolean): boolean {
  return program.template.options.compat === true && !scoped && program.contextDepth === 0;
}

function contextAt(depth: number): Expression {
  if (depth === 0) return (frame: Frame) => frame.depth0;
  return (frame: Frame) => frame.depths?.[depth];
}
