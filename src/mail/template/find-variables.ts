// Finds the root-context variables that a template uses, so that a preview can report those that no
// recipient has.
import type {
  BlockStatement,
  Expression,
  MustacheStatement,
  PartialStatement,
  PathExpression,
  Program,
  Statement,
} from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import { parseTemplate } from "./parse-template.ts";

/** A use of a variable: its path from the root context, and its position in the source. */
export interface VariableUse {
  path: string[];
  line: number;
  column: number;
}

/** Contexts around a tag, innermost last: true for the root context. */
interface Scope {
  contexts: boolean[];
  /** Names from `as |…|`, one set for each block that has some. */
  blockParams: ReadonlySet<string>[];
  /** Variables that an enclosing block has tested. */
  tested: Set<string>;
}

/**
 * Returns the root-context variables that a template prints, loops over or passes on, in order.
 * Omits those that an enclosing `if` or `unless` has tested, and everything whose context depends
 * on the data. Throws TemplateSyntaxError.
 */
export function findVariables(source: string): VariableUse[] {
  const uses: VariableUse[] = [];
  const root: Scope = { contexts: [true], blockParams: [], tested: new Set() };
  walkProgram(parseTemplate(source, {}), root, uses);
  return uses;
}

function walkProgram(program: Program | undefined, scope: Scope, uses: VariableUse[]): void {
  if (program === undefined) return;
  const { blockParams = [] } = program;
  const inner =
    blockParams.length === 0
      ? scope
      : { ...scope, blockParams: [...scope.blockParams, new Set(blockParams)] };
  for (const statement of program.body) walkStatement(statement, inner, uses);
}

function walkStatement(statement: Statement, scope: Scope, uses: VariableUse[]): void {
  switch (statement.type) {
    case "MustacheStatement":
      return walkPrinted(statement, scope, uses);
    case "BlockStatement":
      return walkBlock(statement, scope, uses);
    case "DecoratorBlock": // its context depends on the call of the inline partial
      return walkProgram(statement.program, { ...scope, contexts: [false] }, uses);
    case "PartialStatement":
    case "PartialBlockStatement":
      walkArguments(statement, scope, uses);
      return walkProgram(statement.program, scope, uses);
    default:
  }
}

function walkPrinted(statement: MustacheStatement, scope: Scope, uses: VariableUse[]): void {
  walkArguments(statement, scope, uses);
  const isCall = statement.params.length > 0 || statement.hash !== undefined;
  if (!isCall && statement.path.type === "PathExpression") use(statement.path, scope, uses);
}

function walkBlock(block: BlockStatement, scope: Scope, uses: VariableUse[]): void {
  const { path, params, program, inverse } = block;
  const [first] = params;
  const name = String(path.original);
  const inner = { ...scope, contexts: [...scope.contexts, false] };
  if ((name === "if" || name === "unless") && first?.type === "PathExpression") {
    const tested = { ...scope, tested: new Set([...scope.tested, first.original]) };
    walkProgram(program, name === "if" ? tested : scope, uses);
    return walkProgram(inverse, name === "if" ? scope : tested, uses);
  }
  walkArguments(block, scope, uses);
  const keepsContext = name === "if" || name === "unless";
  walkProgram(program, keepsContext ? scope : inner, uses);
  walkProgram(inverse, scope, uses);
}

type Arguments = Pick<BlockStatement | PartialStatement, "params" | "hash">;

function walkArguments({ params, hash }: Arguments, scope: Scope, uses: VariableUse[]): void {
  const values: Expression[] = [...params, ...(hash?.pairs ?? []).map(({ value }) => value)];
  for (const value of values) {
    if (value.type === "SubExpression") walkArguments(value, scope, uses);
    if (value.type === "PathExpression") use(value, scope, uses);
  }
}

function use(path: PathExpression, scope: Scope, uses: VariableUse[]): void {
  const rooted = rootPath(path, scope);
  if (rooted === undefined || rooted.length === 0 || scope.tested.has(path.original)) return;
  const { line, column } = path.loc.start;
  uses.push({ path: rooted, line, column: column + 1 });
}

/** Returns the path from the root context; undefined for a path in another context. */
function rootPath(path: PathExpression, scope: Scope): string[] | undefined {
  const { parts, data, depth } = path;
  if (data) return parts[0] === "root" ? parts.slice(1) : undefined;
  const isParam = depth === 0 && scope.blockParams.some((names) => names.has(parts[0] ?? ""));
  return !isParam && scope.contexts.at(-1 - depth) ? parts : undefined;
}
