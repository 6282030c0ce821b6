import type { SourceLocation } from "handlebars/dist/cjs/handlebars/compiler/helpers.js";
import type { Expression } from "./frame.ts";

/** Follows `parts` from `base`; stops at null and undefined, and at any falsy value if `falsy`. */
export function resolvePath(base: Expression, parts: string[], falsy: boolean): Expression {
  const isEnd = falsy ? isFalsy : isNullish;
  return (frame) => {
    let value = base(frame);
    for (const part of parts) {
      if (isEnd(value)) return value;
      value = frame.container.lookupProperty(value, part);
    }
    return value;
  };
}

function isFalsy(value: unknown): boolean {
  return !value;
}

export function isNullish(value: unknown): boolean {
  return value === undefined || value === null;
}

/**
 * Follows `parts` from `base` without checks, so a missing object throws; with `terminal` a missing
 * last part throws, too.
 */
export function resolveStrictPath(
  base: Expression,
  parts: string[],
  terminal: SourceLocation | undefined,
): Expression {
  const inner = terminal === undefined ? parts : parts.slice(0, -1);
  const last = parts.at(-1);
  const object: Expression = (frame) => {
    let value = base(frame);
    for (const part of inner) value = frame.container.lookupProperty(value, part);
    return value;
  };
  if (terminal === undefined || last === undefined) return object;
  return (frame) => frame.container.strict(object(frame), last, terminal);
}
