import type { BlockFunction, CallOptions } from "handlebars/dist/cjs/handlebars.runtime.js";
import { spendConversion, spendCopy, spendOutput } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { isHelper, readOptions } from "./call-helper.ts";
import { templateFault } from "../../messages/templates.ts";
import { TemplateRenderError } from "./errors.ts";
import type { Expression } from "./frame.ts";
import { popCall, popValue } from "./program-builder.ts";
import type { ProgramBuilder } from "./program-builder.ts";

/**
 * `invokePartial`: pushes the output of `{{> name context key=value}}`. A dynamic partial has no
 * name; it is the newest value, from `{{> (call)}}`.
 */
export function invokePartial(
  program: ProgramBuilder,
  isDynamic: boolean,
  name = "",
  indent = "",
): void {
  const { budget, options: compileOptions } = program.template;
  const call = popCall(program, name, 1);
  const [context] = call.params;
  const partial: Expression = isDynamic
    ? popValue(program)
    : (frame) => frame.container.lookupProperty(frame.partials, name);

  program.values.push((frame) => {
    const { container } = frame;
    // The runtime compares a missing block with its own noop, so this call passes that one.
    const options: CallOptions = {
      ...readOptions(call, frame, container.noop),
      helpers: frame.helpers,
      partials: frame.partials,
      decorators: container.decorators,
    };
    if (compileOptions.compat) options.depths = frame.depths;
    const found = partial(frame);
    const value = context?.(frame);
    spendPartial(budget, found, value, options);
    return indentLines(budget, container.invokePartial(found, value, options), indent);
  });
}

/** `registerDecorator`: wraps the program just before it runs. */
export function registerDecorator(program: ProgramBuilder, count: number, name: string): void {
  const { budget, noop } = program.template;
  const call = popCall(program, name, count);
  program.decorations.push((block, props, frame) => {
    const decorator = frame.container.lookupProperty(frame.container.decorators, name);
    if (!isHelper(decorator))
      throw new TemplateRenderError(templateFault("not_a_decorator", { name }));
    const args = call.params.map((param) => param(frame));
    spendConversion(budget, args);
    const options: CallOptions = { ...readOptions(call, frame, noop), args };
    const wrapped = decorator(block, props, frame.container, options);
    return isBlock(wrapped) ? wrapped : block;
  });
}

/**
 * Charges copies: the runtime copies the context to merge a hash, and the partials to add inline
 * ones.
 */
function spendPartial(
  budget: Budget,
  partial: unknown,
  context: unknown,
  options: CallOptions,
): void {
  spendConversion(budget, partial);
  if (options.hash !== undefined) spendCopy(budget, context);
  if (options.fn?.partials !== undefined) spendCopy(budget, options.partials);
}

/**
 * Indents each line of a standalone partial as the runtime would, but charges first: nested
 * indented partials multiply their output.
 */
function indentLines(budget: Budget, text: string, indent: string): string {
  if (indent === "") return text;
  const lines = text.split("\n");
  spendOutput(budget, text.length + lines.length * indent.length);
  const last = lines.length - 1;
  return lines
    .map((line, index) => (line === "" && index === last ? "" : indent + line))
    .join("\n");
}

function isBlock(value: unknown): value is BlockFunction {
  return typeof value === "function";
}
