// Finds tags that parse but can never render, so that an author learns of them when saving. Data is
// JSON without functions, so a call with arguments always fails unless it names a built-in helper.
import type {
  BlockStatement,
  Expression,
  MustacheStatement,
  PartialStatement,
  PathExpression,
  Program,
  Statement,
  SubExpression,
} from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import type { Message } from "../../messages/message.ts";
import { templateFault } from "../../messages/templates.ts";
import { TemplateSyntaxError } from "./errors.ts";

/** Built-in helpers that take one argument and a block. */
const BLOCK_HELPERS = new Set(["if", "unless", "each", "with"]);
const OTHER_HELPERS = new Set(["lookup", "log"]);

/** Names reserved by the runtime: calling them fails. */
const INTERNAL_HELPERS = new Set(["helperMissing", "blockHelperMissing"]);

/** The only decorator; templates define partials with it. */
const INLINE_DECORATOR = "inline";

type CallNode = MustacheStatement | BlockStatement | SubExpression;

interface Scope {
  /** Names from enclosing `as |…|`; they shadow helpers. */
  blockParams: string[];
  partials: PartialNames;
}

interface PartialNames {
  /** Partials defined under a fixed name. */
  defined: Set<string>;
  /** Partials used by a fixed name, without fallback contents. */
  used: PartialStatement[];
  /** True if the name of some definition is determined at render time. */
  anyName: boolean;
}

/** Throws TemplateSyntaxError for the first tag that can never render. */
export function checkTemplate(program: Program): void {
  const partials: PartialNames = { defined: new Set(), used: [], anyName: false };
  checkProgram(program, { blockParams: [], partials });
  if (partials.anyName) return;
  for (const { name, loc } of partials.used) {
    const partial = "original" in name ? String(name.original) : undefined;
    if (partial !== undefined && !partials.defined.has(partial)) {
      fail(loc, templateFault("unknown_partial", { name: partial }));
    }
  }
}

function checkProgram(program: Program | undefined, scope: Scope): void {
  if (program === undefined) return;
  const blockParams = [...scope.blockParams, ...(program.blockParams ?? [])];
  for (const statement of program.body) checkStatement(statement, { ...scope, blockParams });
}

function checkStatement(statement: Statement, scope: Scope): void {
  switch (statement.type) {
    case "MustacheStatement":
      return checkCall(statement, scope);
    case "BlockStatement":
      checkCall(statement, scope);
      checkProgram(statement.program, scope);
      return checkProgram(statement.inverse, scope);
    case "PartialStatement":
    case "PartialBlockStatement":
      return checkPartial(statement, scope);
    case "Decorator":
    case "DecoratorBlock":
      return checkDecorator(statement, scope);
    default:
  }
}

function checkPartial(statement: PartialStatement, scope: Scope): void {
  const { name, program } = statement;
  if (name.type === "SubExpression") checkCall(name, scope);
  else if (program === undefined && name.original !== "@partial-block") {
    scope.partials.used.push(statement);
  }
  checkArguments(statement, scope);
  checkProgram(program, scope);
}

function checkDecorator(statement: MustacheStatement | BlockStatement, scope: Scope): void {
  const decorator = String(statement.path.original);
  if (decorator !== INLINE_DECORATOR) {
    fail(
      statement.loc,
      templateFault("unknown_decorator", { name: decorator, only: INLINE_DECORATOR }),
    );
  }
  const [name] = statement.params;
  if (name?.type === "StringLiteral") scope.partials.defined.add(String(name.value));
  else scope.partials.anyName = true;
  checkArguments(statement, scope);
  if ("program" in statement) checkProgram(statement.program, scope);
}

/** Checks a call by the opcode compiler's rules for helper calls. */
function checkCall(call: CallNode, scope: Scope): void {
  checkArguments(call, scope);
  const { path } = call;
  const name = path.type === "PathExpression" ? path.parts[0] : String(path.original);
  const isSimple = path.type !== "PathExpression" || isSimpleName(path);
  if (isSimple && name !== undefined && scope.blockParams.includes(name)) return;

  const hasArguments = call.params.length > 0 || call.hash !== undefined;
  if (!hasArguments && !isSimple) return;
  const isCall = hasArguments || call.type === "SubExpression";
  if (name !== undefined && INTERNAL_HELPERS.has(name))
    fail(call.loc, templateFault("name_reserved", { name }));
  if (name !== undefined && BLOCK_HELPERS.has(name)) return checkBlockHelper(call, name);
  if (isCall && call.params.length > 0 && (name === undefined || !OTHER_HELPERS.has(name))) {
    fail(call.loc, templateFault("unknown_helper", { name: String(path.original) }));
  }
}

function checkBlockHelper(call: CallNode, name: string): void {
  if (call.type !== "BlockStatement") {
    fail(call.loc, templateFault("block_needed", { name, form: `{{#${name} …}}…{{/${name}}}` }));
  }
  if (call.params.length !== 1) {
    fail(call.loc, templateFault("one_argument_needed", { name, count: call.params.length }));
  }
}

function checkArguments({ params, hash }: Pick<CallNode, "params" | "hash">, scope: Scope): void {
  const values: Expression[] = [...params, ...(hash?.pairs ?? []).map((pair) => pair.value)];
  for (const value of values) {
    if (value.type === "SubExpression") checkCall(value, scope);
  }
}

/** Returns true for a single name other than `this`, `./x`, `../x` or `@x`. */
function isSimpleName(path: PathExpression): boolean {
  return path.parts.length === 1 && path.depth === 0 && !/^\.|this\b/.test(path.original);
}

function fail(loc: CallNode["loc"], reason: Message): never {
  throw new TemplateSyntaxError(reason, { line: loc.start.line, column: loc.start.column + 1 });
}
