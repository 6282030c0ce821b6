/* What a condition demands of every subscriber who matches it, so that a query can start there. */
import { isTerm, type Condition } from "./condition.ts";

type DemandField = "tag" | "email" | "import" | "topic" | "source" | "status";

/** The values of a field of which every matching subscriber has at least one. */
interface Demand {
  values: string[];
  /**
   * The remaining condition for subscribers who have one of the values. Undefined if all of them
   * match.
   */
  rest: Condition | undefined;
}

/**
 * Returns the smallest set of values of a field that a condition requires; undefined if it requires
 * none.
 */
export function demandOf(condition: Condition, field: DemandField): Demand | undefined {
  if (isTerm(condition))
    return condition.field === field && condition.op === "is"
      ? { values: [...new Set(condition.values)], rest: undefined }
      : undefined;
  if ("not" in condition) return undefined;
  if ("and" in condition) return demandOfAll(condition.and, field);
  const demands = condition.or.map((part) => demandOf(part, field));
  if (!demands.every((demand) => demand !== undefined)) return undefined;
  const values = [...new Set(demands.flatMap((demand) => demand.values))];
  return { values, rest: demands.every(({ rest }) => !rest) ? undefined : condition };
}

function demandOfAll(parts: Condition[], field: DemandField): Demand | undefined {
  const [least] = parts
    .flatMap((part) => {
      const demand = demandOf(part, field);
      return demand ? [{ part, ...demand }] : [];
    })
    .toSorted((a, b) => a.values.length - b.values.length);
  if (!least) return undefined;
  const { part, values, rest } = least;
  const left = parts.flatMap((one) => (one === part ? (rest ?? []) : one));
  return { values, rest: left.length === 0 ? undefined : { and: left } };
}

/** Returns a prefix that the address of every matching subscriber has. */
export function beginningOf(condition: Condition): string | undefined {
  if (isTerm(condition))
    return condition.field === "email" && condition.op === "begins"
      ? condition.values[0]
      : undefined;
  if (!("and" in condition)) return undefined;
  return condition.and.map(beginningOf).find((text) => text !== undefined);
}
