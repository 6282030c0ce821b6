import type { StarterWords } from "./starters.ts";

/** Returns the HTML of a starter mail of blocks in the project's brand; loads its code on demand. */
export async function blockStart(words: StarterWords, projectId: string): Promise<string> {
  const [{ starterMail }, { brandedHtml }] = await Promise.all([
    import("./starters.ts"),
    import("./branded-html.ts"),
  ]);
  return brandedHtml(starterMail(words), projectId);
}
