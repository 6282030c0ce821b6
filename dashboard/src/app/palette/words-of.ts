/** Returns a predicate: true if each word of the search occurs in one of the texts. */
export function wordsOf(search: string): (...texts: (string | null | undefined)[]) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return (...texts) => {
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
}
