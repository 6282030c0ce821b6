/** The length from which a text that begins another one is an abbreviation of it. */
const ABBREVIATION = 4;

/**
 * Returns the text that somebody most likely meant, regardless of case and accents: the nearest of
 * the known ones if at most a third of its characters differ, or else one that begins with it or
 * with which it begins.
 */
export function nearestText(
  text: string,
  known: readonly string[] | ReadonlySet<string>,
): string | undefined {
  const meant = fold(text);
  let most = Math.max(1, Math.floor(meant.length / 3));
  let nearest: string | undefined;
  for (const one of known) {
    const distance = distanceOf(meant, fold(one), most);
    if (distance > most) continue;
    nearest = one;
    most = distance - 1;
  }
  return nearest ?? Array.from(known).find((one) => abbreviates(meant, fold(one)));
}

function abbreviates(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= ABBREVIATION && (a.startsWith(b) || b.startsWith(a));
}

const fold = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\p{M}\s_-]/gu, "");

/** Returns the edit distance of two texts (Levenshtein), or more than `most`. */
function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(
        Math.min(
          (next[j] ?? 0) + 1,
          (row[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
