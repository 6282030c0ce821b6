import type { CallOptions } from "handlebars/dist/cjs/handlebars.runtime.js";
import type {
  Decorator,
  PartialStatement,
} from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import { templateFault } from "../../messages/templates.ts";
import { spendConversion, spendCopy, spendOutput } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { buildCall, buildOptions, buildValue, isFunction } from "./build-call.ts";
import { TemplateRenderError } from "./errors.ts";
import { reject } from "./scope.ts";
import type { Decorate, Read, Scope } from "./scope.ts";

/** The only decorator; templates define partials with it. */
const INLINE = "inline";

/** Builds `{{> name context key=value}}`; the name may be a call: `{{> (call)}}`. */
export function buildPartial(scope: Scope, node: PartialStatement): Read {
  const { options: compileOptions, budget, used } = scope.unit;
  const [param, ...more] = node.params;
  if (more.length > 0) reject(node, templateFault("one_context_needed"));
  const inherited: Read = compileOptions.explicitPartialContext
    ? () => undefined
    : ({ context }) => context;
  const context = param === undefined ? inherited : buildValue(scope, param);
  const chosen = node.name.type === "SubExpression" ? buildCall(scope, node.name) : undefined;
  const name = "original" in node.name ? String(node.name.original) : "";
  if (chosen === undefined && !node.program && name !== "@partial-block") used.push(node);
  const options = buildOptions(scope, name, node, node);
  const indent = node.indent ?? "";
  const [before, margin] = compileOptions.preventIndent ? [indent, ""] : ["", indent];
  scope.steps++;
  return (frame) => {
    const { container } = frame;
    const call: CallOptions = {
      ...options(frame),
      helpers: container.helpers,
      partials: container.partials,
      decorators: container.decorators,
    };
    if (node.hash === undefined) call.hash = undefined;
    if (compileOptions.compat) call.depths = frame.depths;
    const partial = chosen?.(frame);
    const value = context(frame);
    spendPartial(budget, partial, value, call);
    return before + indentLines(budget, container.invokePartial(partial, value, call), margin);
  };
}

/** Builds `{{#*inline "name"}}`, which wraps its block just before that runs. */
export function buildDecorator(scope: Scope, node: Decorator): Decorate {
  const { unit } = scope;
  const name = String(node.path.original);
  if (unit.options.knownHelpersOnly && name !== INLINE) {
    reject(node, templateFault("unknown_decorator", { name, only: INLINE }));
  }
  unit.hasDecorators = true;
  const [defined] = node.params;
  if (defined?.type === "StringLiteral") unit.defined.add(String(defined.value));
  else unit.definesAny = true;
  const params = node.params.map((param) => buildValue(scope, param));
  scope.steps += params.length;
  const options = buildOptions(scope, name, node, node);
  return (block, props, frame) => {
    const { container } = frame;
    const decorator = container.lookupProperty(container.decorators, name);
    if (!isFunction(decorator)) {
      throw new TemplateRenderError(templateFault("not_a_decorator", { name }));
    }
    const args = params.map((param) => param(frame));
    spendConversion(unit.budget, args);
    const wrapped = decorator(block, props, container, { ...options(frame), args });
    return isFunction(wrapped) ? wrapped : block;
  };
}

/**
 * Charges copies: the runtime copies the context to merge a hash, and the partials to add inline
 * ones.
 */
function spendPartial(budget: Budget, partial: unknown, context: unknown, call: CallOptions): void {
  spendConversion(budget, partial);
  if (call.hash !== undefined) spendCopy(budget, context);
  if (call.fn?.partials !== undefined) spendCopy(budget, call.partials);
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
