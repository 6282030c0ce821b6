// Interprets Handlebars' syntax tree: turns it into closures once, because its own compiler returns
// source text for `eval`, which Workers block. Helpers, partials and prototype-safe lookups are those
// of Handlebars' runtime. Templates and data are hostile, so every block is charged to the budget as
// it runs.
import type {
  BlockFunction,
  CompileOptions,
  TemplateSpec,
} from "handlebars/dist/cjs/handlebars.runtime.js";
import type {
  Program,
  Statement,
  TextStatement,
} from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import { templateFault } from "../../messages/templates.ts";
import {
  spendConversion,
  spendCopy,
  spendOutput,
  spendSteps,
  spendText,
  utf8Length,
} from "./budget.ts";
import type { Budget } from "./budget.ts";
import { buildCall } from "./build-call.ts";
import { buildDecorator, buildPartial } from "./build-partial.ts";
import { reject } from "./scope.ts";
import type { Frame, Print, Read, Scope, Unit } from "./scope.ts";

/** The template format of the runtime: Handlebars' COMPILER_REVISION. */
const COMPILER_INFO: TemplateSpec["compiler"] = [8, ">= 4.3.0"];

/** Builds a template for the runtime. Throws TemplateSyntaxError for a tag that can never render. */
export function buildTemplate(
  program: Program,
  options: CompileOptions,
  budget: Budget,
): TemplateSpec {
  const unit: Unit = {
    buildBlock,
    options,
    budget,
    hasDecorators: false,
    defined: new Set(),
    definesAny: false,
    used: [],
  };
  const { run, decorate } = buildProgram({ unit, blockParams: [] }, program);
  if (options.knownHelpersOnly) checkPartials(unit);
  return {
    compiler: COMPILER_INFO,
    main: (container, context, _helpers, _partials, data, _blockParams, depths) =>
      run({ container, context, data, blockParams: [], depths }),
    main_d:
      decorate &&
      ((block, _props, container, context, data) =>
        decorate(block, { container, context, data, blockParams: [], depths: [] })),
    useData: true,
    usePartial: true,
    useDepths: true,
    useDecorators: unit.hasDecorators,
    compilerOptions: options,
  };
}

function checkPartials({ used, defined, definesAny }: Unit): void {
  for (const { name, ...node } of definesAny ? [] : used) {
    const partial = "original" in name ? String(name.original) : "";
    if (!defined.has(partial)) reject(node, templateFault("unknown_partial", { name: partial }));
  }
}

/** Builds a block of a call. */
function buildBlock(outer: Scope, program: Program): (frame: Frame) => BlockFunction {
  const { run, decorate } = buildProgram(outer, program);
  const { budget } = outer.unit;
  const paramCount = program.blockParams?.length ?? 0;
  return (frame) => {
    const block: BlockFunction = (context, { data = frame.data, blockParams } = {}) =>
      run({
        container: frame.container,
        context,
        data,
        blockParams: paramCount > 0 ? [blockParams ?? [], ...frame.blockParams] : frame.blockParams,
        depths: isSameContext(budget, context, frame) ? frame.depths : [context, ...frame.depths],
      });
    block.blockParams = paramCount;
    return decorate === undefined ? block : decorate(block, frame);
  };
}

/**
 * Returns true if a block keeps its outer context. Handlebars compares by `==`, which converts an
 * object to text if the other is none, at a cost proportional to data.
 */
function isSameContext(budget: Budget, context: unknown, outer: Frame): boolean {
  if (context === outer.context) return true;
  if (context === outer.container.nullContext) return outer.context === null;
  if (typeof context === typeof outer.context) return false;
  spendConversion(budget, context);
  spendConversion(budget, outer.context);
  return context == outer.context;
}

function buildProgram(outer: Pick<Scope, "unit" | "blockParams">, program: Program) {
  const { unit } = outer;
  const names = (program.blockParams ?? []).map((name, index) => [name, index] as const);
  const scope: Scope = {
    unit,
    blockParams:
      names.length > 0 ? [new Map(names.toReversed()), ...outer.blockParams] : outer.blockParams,
    steps: 1,
    textBytes: 0,
    decorations: [],
  };
  const prints = program.body.flatMap((statement) => buildStatement(scope, statement) ?? []);
  const { steps, textBytes, decorations } = scope;
  const { budget } = unit;

  const run = (frame: Frame): string => {
    spendSteps(budget, steps);
    spendOutput(budget, textBytes);
    // The runtime copies the partials to add inline ones.
    if (decorations.length > 0) spendCopy(budget, frame.container.partials);
    let output = "";
    for (const print of prints) output += print(frame);
    return output;
  };
  const decorate = (block: BlockFunction, frame: Frame): BlockFunction => {
    spendSteps(budget, decorations.length);
    const props = {};
    const decorated = decorations.reduce((inner, wrap) => wrap(inner, props, frame), block);
    return Object.assign(decorated, props);
  };
  return { run, decorate: decorations.length > 0 ? decorate : undefined };
}

/** Builds a piece of output, which costs a step. */
function buildStatement(scope: Scope, statement: Statement): Print | undefined {
  scope.steps++;
  switch (statement.type) {
    case "ContentStatement":
      return buildText(scope, statement);
    case "MustacheStatement":
      return printValue(scope, buildCall(scope, statement), statement.escaped);
    case "BlockStatement":
      return printValue(scope, buildCall(scope, statement), false);
    case "PartialStatement":
    case "PartialBlockStatement":
      return printValue(scope, buildPartial(scope, statement), false);
    case "Decorator":
    case "DecoratorBlock":
      scope.decorations.push(buildDecorator(scope, statement));
      return undefined;
    default:
      return undefined;
  }
}

function buildText(scope: Scope, { value }: TextStatement): Print | undefined {
  scope.textBytes += utf8Length(value);
  return value === "" ? undefined : () => value;
}

/** Prints a value as text; null and undefined print nothing. */
function printValue({ unit: { budget, options } }: Scope, read: Read, escaped: boolean): Print {
  const escapes = escaped && !options.noEscape;
  return (frame) => {
    const bytesLeftBefore = budget.outputBytes;
    const value = read(frame);
    if (typeof value !== "string") spendConversion(budget, value);
    const text = escapes ? frame.container.escapeExpression(value) : textOf(value);
    spendText(budget, text, bytesLeftBefore);
    return text;
  };
}

/** Returns a value as printed text; null and undefined are "". */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return String(value); // oxlint-disable-line typescript/no-base-to-string -- as Handlebars prints objects
}
