import type { NodePath } from "@babel/core";

/** Functions whose strings are words for people: errors and lines of the log. */
const WORDY = /(?:Error|^logLine|^log|^fail|^refuse)$/;

/** Leaves out strings inside `new …Error(…)`, `…Error(…)` and `log(…)`; undefined: to be mutated. */
export function ignoreWords(visited: object): string | undefined {
  const path = visited as NodePath;
  if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
  const call = path.findParent((parent) => parent.isCallExpression() || parent.isNewExpression());
  if (!call || !(call.isCallExpression() || call.isNewExpression())) return undefined;
  const { callee } = call.node;
  return callee.type === "Identifier" && WORDY.test(callee.name) ? "words for people" : undefined;
}
