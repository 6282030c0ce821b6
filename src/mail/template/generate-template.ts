// Replaces the code generator of Handlebars without generating code. It turns the opcodes of
// Handlebars' own compiler into closures, where the stock generator returns source text for `eval`,
// which Workers block. It implements the published interface of Handlebars' JavaScriptCompiler
// (MIT): the same opcodes in, the same template spec out, so parser, opcode compiler and runtime
// remain Handlebars' own. Templates and data are hostile, so every program is charged to the budget
// as it runs.
import type {
  BlockFunction,
  DecoratorFunction,
  ProgramFunction,
  TemplateSpec,
} from "handlebars/dist/cjs/handlebars.runtime.js";
import type {
  CompileOptions,
  ProgramCode,
} from "handlebars/dist/cjs/handlebars/compiler/compiler.js";
import { applyOpcode } from "./apply-opcode.ts";
import { spendConversion, spendCopy, spendOutput, spendSteps } from "./budget.ts";
import type { Budget } from "./budget.ts";
import type { Frame } from "./frame.ts";
import { flushText } from "./program-builder.ts";
import type { Decoration, ProgramBuilder, TemplateBuilder } from "./program-builder.ts";

/** The template format that this generator writes: Handlebars' COMPILER_REVISION 8. */
const COMPILER_INFO: TemplateSpec["compiler"] = [8, ">= 4.3.0"];

interface GeneratedProgram {
  run: ProgramFunction;
  decorate: DecoratorFunction | undefined;
}

/**
 * Turns the opcodes of a template into closures that spend `budget` as they run. Source: Handlebars
 * 4.7, compiler/javascript-compiler.js (its interface).
 */
export function generateTemplate(
  root: ProgramCode,
  options: CompileOptions,
  budget: Budget,
): TemplateSpec {
  const template: TemplateBuilder = {
    options,
    budget,
    programs: {},
    decorators: {},
    programCount: 0,
    useDepths: options.compat === true,
    useBlockParams: false,
    noop: () => {
      spendSteps(budget, 1);
      return "";
    },
  };
  const main = generateProgram(template, root);
  return {
    ...template.programs,
    ...template.decorators,
    compiler: COMPILER_INFO,
    main: main.run,
    main_d: main.decorate,
    useData: true,
    usePartial: root.usePartial === true,
    useDepths: template.useDepths,
    useBlockParams: template.useBlockParams,
    useDecorators: main.decorate !== undefined || Object.keys(template.decorators).length > 0,
    compat: options.compat === true,
    compilerOptions: options,
  };
}

function generateProgram(template: TemplateBuilder, code: ProgramCode): GeneratedProgram {
  if (code.useDepths || code.useDecorators) template.useDepths = true;
  const program = createBuilder(template, code);
  for (const { loc, ...instruction } of code.opcodes) {
    program.loc = loc;
    applyOpcode(program, instruction);
  }
  flushText(program);
  return {
    run: createRun(program),
    decorate: program.decorations.length === 0 ? undefined : createDecorate(program),
  };
}

function createBuilder(template: TemplateBuilder, code: ProgramCode): ProgramBuilder {
  return {
    template,
    children: code.children.map((child) => ({
      index: addProgram(template, child),
      blockParams: child.blockParams,
    })),
    values: [],
    blocks: [],
    hashes: [],
    openHashes: [],
    statements: [],
    decorations: [],
    text: "",
    contextDepth: 0,
    ambiguousName: "",
    loc: { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } },
    steps: 1,
    textBytes: 0,
  };
}

function addProgram(template: TemplateBuilder, code: ProgramCode): number {
  const index = template.programCount++;
  const { run, decorate } = generateProgram(template, code);
  template.programs[`${index}`] = run;
  if (decorate !== undefined) template.decorators[`${index}_d`] = decorate;
  return index;
}

function createRun({ template, statements, steps, textBytes, decorations }: ProgramBuilder) {
  const { budget } = template;
  const isDecorated = decorations.length > 0;
  const run: ProgramFunction = (
    container,
    depth0,
    helpers,
    partials,
    data,
    blockParams,
    depths,
  ) => {
    spendSteps(budget, steps);
    spendOutput(budget, textBytes);
    spendComparison(budget, depth0, depths);
    if (isDecorated) spendCopy(budget, partials);
    const frame: Frame = { container, depth0, helpers, partials, data, blockParams, depths };
    let output = "";
    for (const statement of statements) output += statement(frame);
    return output;
  };
  return run;
}

function createDecorate({ template, decorations }: ProgramBuilder): DecoratorFunction {
  return (block, props, container, depth0, data, blockParams, depths) => {
    spendSteps(template.budget, decorations.length);
    const { helpers, partials } = container;
    const frame: Frame = { container, depth0, helpers, partials, data, blockParams, depths };
    return decorations.reduce<BlockFunction>(
      (wrapped, decoration: Decoration) => decoration(wrapped, props, frame),
      block,
    );
  };
}

/**
 * Charges the runtime's comparison of a block's context with its parent's by `!=`. If exactly one
 * is an object, the comparison converts it to text, at a cost proportional to data.
 */
function spendComparison(budget: Budget, context: unknown, depths: unknown[] | undefined): void {
  if (depths === undefined) return;
  const parentIndex = depths[0] === context ? 1 : 0;
  const parent = depths[parentIndex];
  if (parentIndex >= depths.length || typeof parent === typeof context) return;
  spendConversion(budget, context);
  spendConversion(budget, parent);
}
