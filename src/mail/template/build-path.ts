import type { PathExpression } from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import { findBlockParam, isScoped } from "./scope.ts";
import type { Read, Scope } from "./scope.ts";

/** How a path deals with what is missing. */
interface Lookup {
  /** In strict mode, a missing last part throws. */
  isRequired?: boolean;
  /** Stops at any falsy value; otherwise only at null and undefined. */
  stopsAtFalsy?: boolean;
}

/** Builds the value of a path such as `a.b`, `../a`, `@root.a` or `.`. */
export function buildPath(scope: Scope, path: PathExpression, lookup: Lookup = {}): Read {
  const { depth, parts } = path;
  const [first, ...rest] = parts;
  scope.steps += rest.length;
  const param = findBlockParam(scope, path);
  if (param !== undefined) {
    const [level, index] = param;
    return follow(scope, path, (frame) => frame.blockParams[level]?.[index], rest, {});
  }
  if (path.data) {
    const base: Read = (frame) => frame.container.data(frame.data, depth);
    return follow(scope, path, base, parts, { ...lookup, stopsAtFalsy: true });
  }
  // Mustache compatibility: a bare name is looked up in every context up to the root.
  if (scope.unit.options.compat && first !== undefined && depth === 0 && !isScoped(path)) {
    const base: Read = (frame) => frame.container.lookup(frame.depths, first);
    return follow(scope, path, base, rest, lookup);
  }
  const base: Read = depth === 0 ? ({ context }) => context : ({ depths }) => depths[depth];
  return follow(scope, path, base, parts, lookup);
}

function follow(
  { unit: { options } }: Scope,
  { loc }: PathExpression,
  base: Read,
  parts: string[],
  { isRequired = false, stopsAtFalsy = false }: Lookup,
): Read {
  if (parts.length === 0) return base;
  if (!options.strict && !options.assumeObjects) {
    return (frame) => {
      let value = base(frame);
      for (const part of parts) {
        if (stopsAtFalsy ? !value : value === undefined || value === null) return value;
        value = frame.container.lookupProperty(value, part);
      }
      return value;
    };
  }
  const last = options.strict && isRequired ? parts.length - 1 : -1;
  return (frame) =>
    parts.reduce(
      (value, part, index) =>
        index === last
          ? frame.container.strict(value, part, loc)
          : frame.container.lookupProperty(value, part),
      base(frame),
    );
}
