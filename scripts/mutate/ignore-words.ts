import type { NodePath } from "@babel/core";

/** Functions that take words for people: errors, refusals and lines of the log. */
const WORDY = /(?:Error|^logLine|^log|^fail|^refuse|^badRequest|^conflict|^notFound|^forbidden)$/;

/** Leaves out sentences given to such a function; undefined: to be mutated. Codes have no space. */
export function ignoreWords(visited: object): string | undefined {
  const path = visited as NodePath;
  const isSentence =
    (path.isStringLiteral() && path.node.value.includes(" ")) ||
    (path.isTemplateLiteral() && path.node.quasis.some(({ value }) => value.raw.includes(" ")));
  if (!isSentence) return undefined;
  const call = path.findParent((parent) => parent.isCallExpression() || parent.isNewExpression());
  if (!call || !(call.isCallExpression() || call.isNewExpression())) return undefined;
  const { callee } = call.node;
  return callee.type === "Identifier" && WORDY.test(callee.name) ? "words for people" : undefined;
}
