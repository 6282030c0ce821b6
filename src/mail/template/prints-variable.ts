/** Hidden parts of a template, and the beginning of an expression that prints a variable. */
const HIDDEN = String.raw`<!--[\s\S]*?(?:-->|$)|\\\{\{|\{\{~?!--[\s\S]*?(?:--~?\}\}|$)|\{\{~?![^}]*`;
const BEFORE = String.raw`\{\{[{&~\s]{0,8}(?:this\.|\.\/|\.\.\/|@root\.){0,8}`;

/**
 * Returns a predicate on a template's HTML: true if an expression outside comments prints one of
 * these variables. Linear in the length of the HTML.
 */
export function printsOneOf(...names: readonly string[]): (html: string) => boolean {
  const pattern = new RegExp(`${HIDDEN}|${BEFORE}(${names.join("|")})[~\\s]{0,8}\\}\\}`, "g");
  return (html) => {
    for (const [, name] of html.matchAll(pattern)) if (name !== undefined) return true;
    return false;
  };
}

/** Returns true if a confirmation mail contains its link (API reference §13.6). */
export const printsConfirmation = printsOneOf("confirm_url");
