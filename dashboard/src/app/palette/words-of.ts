/** Returns a test that each word of a search occurs in some of the texts. */
export function wordsOf(search: string): (...texts: (string | null | undefined)[]) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return (...texts) => {
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
}
