import type { StarterWords } from "./starters.ts";

/** Returns the HTML of a starter mail of blocks, whose code is loaded on demand. */
export async function blockStart(words: StarterWords): Promise<string> {
  const [{ starterMail }, { newMailHtml }] = await Promise.all([
    import("./starters.ts"),
    import("./new-mail.ts"),
  ]);
  return newMailHtml(starterMail(words));
}
