import type {
  Bag,
  BlockFunction,
  CallOptions,
  HelperFunction,
} from "handlebars/dist/cjs/handlebars.runtime.js";
import type {
  Arguments,
  BlockStatement,
  Call,
  Expression,
  MustacheStatement,
  PathExpression,
  Program,
  SubExpression,
} from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import { templateFault } from "../../messages/templates.ts";
import { spendSteps } from "./budget.ts";
import { buildPath } from "./build-path.ts";
import { TemplateRenderError } from "./errors.ts";
import { findBlockParam, isScoped, reject } from "./scope.ts";
import type { Frame, Read, Scope } from "./scope.ts";

type CallNode = MustacheStatement | BlockStatement | SubExpression;

/** Built-in helpers that take one argument and a block. */
const BLOCK_HELPERS = new Set(["if", "unless", "each", "with"]);
const OTHER_HELPERS = new Set(["lookup", "log", "url_encode"]);

/** Names reserved by the runtime: calling them fails. */
const HOOKS = new Set(["helperMissing", "blockHelperMissing"]);

/** Builds an argument: a literal, a path such as `a.b`, or a call in parentheses. */
export function buildValue(scope: Scope, node: Expression): Read {
  if (node.type === "SubExpression") return buildCall(scope, node);
  if (node.type === "PathExpression") return buildPath(scope, node);
  const { value } = node;
  return () => value;
}

/**
 * Builds `{{name}}`, `{{name a b=c}}`, `(name a)` or a block of that name: the call of a helper, or
 * a value.
 */
export function buildCall(scope: Scope, call: CallNode): Read {
  const path = asPath(call.path);
  const [name = ""] = path.parts;
  const isSimple = path.parts.length === 1 && path.depth === 0 && !isScoped(path);
  const isParam = isSimple && findBlockParam(scope, path) !== undefined;
  const isCall = call.type === "SubExpression" || call.params.length > 0 || call.hash !== undefined;
  if (!isParam && (isCall || (isSimple && isKnown(scope, name)))) {
    return buildHelperCall(scope, call, path);
  }
  const isEither = isSimple && !isParam && !scope.unit.options.knownHelpersOnly;
  return isEither ? buildEither(scope, call, path) : buildPrintedValue(scope, call, path);
}

/** Builds a block of a value: once, for each item of an array, or its `{{else}}`. */
function buildPrintedValue(scope: Scope, call: CallNode, path: PathExpression): Read {
  const read = buildPath(scope, path, { isRequired: true });
  const value: Read = (frame) => frame.container.lambda(read(frame), frame.context);
  if (call.type !== "BlockStatement") return value;
  const options = buildOptions(scope, path.original, {}, call);
  return (frame) =>
    frame.container.hooks.blockHelperMissing.call(frame.context, value(frame), options(frame));
}

/** Builds `{{name}}` that is a helper call if the helper exists at render time, else a value. */
function buildEither(scope: Scope, call: CallNode, path: PathExpression): Read {
  const [name = ""] = path.parts;
  const value = buildPath(scope, path, { isRequired: true });
  const isBlock = call.type === "BlockStatement";
  const options = buildOptions(scope, name, {}, isBlock ? call : {});
  const { strict } = scope.unit.options;
  return (frame) => {
    const { container } = frame;
    const helper = container.lookupProperty(container.helpers, name);
    let found = helper || value(frame);
    if (!strict) found ??= container.hooks.helperMissing;
    if (isFunction(found)) found = found.call(contextOf(frame), options(frame));
    if (helper || !isBlock) return found;
    return container.hooks.blockHelperMissing.call(frame.context, found, options(frame));
  };
}

/** Builds the call of a helper, else of a function in the context, else of `helperMissing`. */
function buildHelperCall(scope: Scope, call: CallNode, path: PathExpression): Read {
  const { strict, knownHelpersOnly } = scope.unit.options;
  const [name = ""] = path.parts;
  if (knownHelpersOnly) checkCall(scope, call, path);
  const params = call.params.map((param) => buildValue(scope, param));
  scope.steps += params.length;
  const options = buildOptions(
    scope,
    path.original,
    call,
    call.type === "BlockStatement" ? call : {},
  );
  const inContext = isKnown(scope, name)
    ? undefined
    : buildPath(scope, path, { isRequired: true, stopsAtFalsy: true });
  const isHelper = inContext === undefined || (path.parts.length === 1 && !isScoped(path));
  return (frame) => {
    const { container } = frame;
    let helper = isHelper ? container.lookupProperty(container.helpers, name) : undefined;
    if (inContext !== undefined)
      helper ||= inContext(frame) || (strict ? undefined : container.hooks.helperMissing);
    if (!isFunction(helper)) {
      throw new TemplateRenderError(templateFault("not_a_helper", { name: path.original }));
    }
    return helper.call(contextOf(frame), ...params.map((param) => param(frame)), options(frame));
  };
}

/** Rejects a call that can never render with only the known helpers. */
function checkCall(scope: Scope, call: CallNode, path: PathExpression): void {
  const [name = ""] = path.parts;
  if (BLOCK_HELPERS.has(name)) {
    if (call.type === "BlockStatement" && call.params.length === 1) return;
    reject(call, templateFault("block_needed", { name, form: `{{#${name} …}}…{{/${name}}}` }));
  }
  if (HOOKS.has(name) || !isKnown(scope, name)) {
    reject(call, templateFault("unknown_helper", { name: path.original }));
  }
}

function isKnown({ unit: { options } }: Scope, name: string): boolean {
  const isOwn = BLOCK_HELPERS.has(name) || OTHER_HELPERS.has(name) || HOOKS.has(name);
  return isOwn || (options.knownHelpers !== undefined && Object.hasOwn(options.knownHelpers, name));
}

/** Builds a call's options, its last argument. A block that is missing is charged, too. */
export function buildOptions(
  scope: Scope,
  name: string,
  { hash }: Partial<Pick<Arguments, "hash">>,
  { program, inverse }: { program?: Program; inverse?: Program },
): (frame: Frame) => CallOptions {
  const pairs = (hash?.pairs ?? []).map(
    ({ key, value }) => [key, buildValue(scope, value)] as const,
  );
  scope.steps += pairs.length;
  const { budget, buildBlock } = scope.unit;
  const fn = program && buildBlock(scope, program);
  const other = inverse && buildBlock(scope, inverse);
  const noBlock: BlockFunction = () => {
    spendSteps(budget, 1);
    return "";
  };
  return (frame) => {
    const options: CallOptions = {
      name,
      hash: readHash(pairs, frame),
      data: frame.data,
      blockParams: frame.blockParams,
    };
    if (fn === undefined && other === undefined) return options;
    options.fn = fn === undefined ? noBlock : fn(frame);
    options.inverse = other === undefined ? noBlock : other(frame);
    return options;
  };
}

/** Reads `key=value` pairs; the first of two equal keys wins, and `__proto__` is none. */
function readHash(pairs: (readonly [key: string, value: Read])[], frame: Frame): Bag {
  const hash: Bag = {};
  for (const [key, value] of pairs.toReversed()) if (key !== "__proto__") hash[key] = value(frame);
  return hash;
}

/** Converts a literal in the place of a name into that name. */
function asPath(path: Call["path"]): PathExpression {
  if (path.type === "PathExpression") return path;
  const original = String(path.original);
  return {
    type: "PathExpression",
    data: false,
    depth: 0,
    parts: [original],
    original,
    loc: path.loc,
  };
}

/** Returns a helper's `this`: never null, so sloppy-mode functions do not see the global object. */
function contextOf({ context, container }: Frame): unknown {
  return context ?? container.nullContext;
}

export function isFunction(value: unknown): value is HelperFunction {
  return typeof value === "function";
}
