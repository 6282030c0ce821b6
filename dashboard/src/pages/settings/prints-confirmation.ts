/** Hidden parts of a template, and an expression that prints the confirmation link. */
const HIDDEN = String.raw`<!--[\s\S]*?(?:-->|$)|\\\{\{|\{\{~?!--[\s\S]*?(?:--~?\}\}|$)|\{\{~?![^}]*`;
const LINK = String.raw`\{\{[{&~\s]{0,8}(?:this\.|\.\/|\.\.\/|@root\.){0,8}(confirm_url)[~\s]{0,8}\}\}`;

/** Returns true if the service accepts a template for the confirmation email. */
export function printsConfirmation(html: string): boolean {
  for (const [, name] of html.matchAll(new RegExp(`${HIDDEN}|${LINK}`, "g")))
    if (name !== undefined) return true;
  return false;
}
