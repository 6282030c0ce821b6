/*
 * Mutators for rules that the instrumenter's own mutators miss: numbers, and conditions of queries.
 * The instrumenter's list of mutators is not a public interface, so this supports only the pinned
 * version.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { dirname, join } from "node:path";
import { types, type NodePath } from "@babel/core";
import { withoutConditions } from "./sql-conditions.ts";

interface Mutator {
  name: string;
  mutate: (path: NodePath) => Iterable<types.Node>;
}

/** `5` → `0`, `0` → `1`: a limit, a delay, an index. */
const numberMutator: Mutator = {
  name: "Number",
  *mutate(path) {
    if (!path.isNumericLiteral()) return;
    if (path.parentPath?.isObjectProperty() && path.key === "key") return;
    yield types.numericLiteral(path.node.value === 0 ? 1 : 0);
  },
};

/** `and(a, b)` → `and(b)`, `and(a)`. */
const conditionMutator: Mutator = {
  name: "Condition",
  *mutate(path) {
    if (!path.isCallExpression() || path.node.callee.type !== "Identifier") return;
    const { callee, arguments: args } = path.node;
    if (callee.name !== "and" && callee.name !== "or") return;
    for (const dropped of args) {
      yield types.callExpression(
        types.cloneNode(callee),
        args.filter((arg) => arg !== dropped).map((arg) => types.cloneNode(arg)),
      );
    }
  },
};

/** sql`… where a and b` → sql`… where b`, sql`… where a`. */
const sqlMutator: Mutator = {
  name: "SqlCondition",
  *mutate(path) {
    if (!path.isTaggedTemplateExpression()) return;
    const { tag, quasi } = path.node;
    if (tag.type !== "Identifier" || tag.name !== "sql") return;
    const texts = quasi.quasis.map(({ value }) => value.raw);
    for (const { texts: left, kept } of withoutConditions(texts)) {
      const copy = types.cloneNode(path.node);
      copy.quasi = types.templateLiteral(
        left.map((raw) => types.templateElement({ raw, cooked: raw })),
        kept.flatMap((at) => {
          const expression = quasi.expressions[at];
          return expression ? [types.cloneNode(expression)] : [];
        }) as types.Expression[],
      );
      yield copy;
    }
  },
};

let isAdded = false;

export async function addMutators(): Promise<void> {
  if (isAdded) return;
  isAdded = true;
  const main = createRequire(import.meta.url).resolve("@stryker-mutator/instrumenter");
  const list = pathToFileURL(join(dirname(main), "mutators", "mutate.js")).href;
  const { allMutators } = (await import(list)) as { allMutators: Mutator[] };
  allMutators.push(numberMutator, conditionMutator, sqlMutator);
}
