/** The hidden parts of a template, and the beginning of an expression that prints a variable. */
const HIDDEN = String.raw`<!--[\s\S]*?(?:-->|$)|\\\{\{|\{\{~?!--[\s\S]*?(?:--~?\}\}|$)|\{\{~?![^}]*`;
const BEFORE = String.raw`\{\{[{&~\s]{0,8}(?:this\.|\.\/|\.\.\/|@root\.){0,8}`;

/**
 * Returns a function that tells whether the HTML of a template prints one of these variables: in an
 * expression, and not in a comment. It runs in time linear in the length of the HTML.
 */
export function printsOneOf(...names: readonly string[]): (html: string) => boolean {
  const pattern = new RegExp(`${HIDDEN}|${BEFORE}(${names.join("|")})[~\\s]{0,8}\\}\\}`, "g");
  return (html) => {
    for (const [, name] of html.matchAll(pattern)) if (name !== undefined) return true;
    return false;
  };
}

/** Tells whether a mail that asks for a confirmation has its link (API reference §13.6). */
export const printsConfirmation = printsOneOf("confirm_url");
