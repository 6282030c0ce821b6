import type { StarterWords } from "./starters.ts";

/** Returns the HTML of a starter mail of blocks, whose code is loaded on demand. */
export async function blockStart(words: StarterWords): Promise<string> {
  const [{ starterMail }, { renderMail }, { storeBlocks }] = await Promise.all([
    import("./starters.ts"),
    import("./render-mail.ts"),
    import("./stored-blocks.ts"),
  ]);
  const mail = starterMail(words);
  return storeBlocks(renderMail(mail), mail);
}
