/**
 * A pattern that first matches hidden parts, then an expression that prints the unsubscribe link,
 * in any spelling.
 */
const HIDDEN_OR_LINK =
  /<!--[\s\S]*?(?:-->|$)|\\\{\{|\{\{~?!--[\s\S]*?(?:--~?\}\}|$)|\{\{~?![^}]*|\{\{[{&~\s]{0,8}(?:this\.|\.\/|\.\.\/|@root\.){0,8}(unsubscribe_(?:url|link))[~\s]{0,8}\}\}/g;

/**
 * Returns true if a template's HTML contains the unsubscribe link: in an expression, under one of
 * its names (API reference §10.3), and not in a comment. Runs in time linear in the length of the
 * HTML.
 */
export function namesUnsubscribe(html: string): boolean {
  for (const [, name] of html.matchAll(HIDDEN_OR_LINK)) if (name !== undefined) return true;
  return false;
}
