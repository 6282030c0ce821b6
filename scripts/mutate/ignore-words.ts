import type { NodePath } from "@babel/core";

/** Functions that take messages for people: errors, refusals and log lines. */
const WORDY = /(?:Error|^logLine|^log|^fail|^refuse|^badRequest|^conflict|^notFound|^forbidden)$/;

/**
 * Returns the reason to skip a sentence passed to such a function; undefined for code to mutate.
 * Codes have no space.
 */
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
