/** Returns the name of a JSON value's type. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === null ? "null" : typeof value;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === "object";

/** Tells whether two values that are no lists or objects are the same, at a place of an answer. */
type Judge = (shown: unknown, real: unknown, at: string) => boolean;

const hasSameType: Judge = (shown, real) =>
  shown === null || real === null || typeOf(shown) === typeOf(real);

/**
 * Returns what an answer in a document has in another form than a real one: other fields, a value
 * of another type, an empty list for one with entries. Null stands for any type, and a list of the
 * real answer may be empty: its schema judges these.
 */
export function differencesOf(
  shown: unknown,
  real: unknown,
  isSame: Judge = hasSameType,
  at = "answer",
): string[] {
  if (Array.isArray(shown) && Array.isArray(real))
    return differencesOfLists(shown, real, isSame, at);
  if (isObject(shown) && isObject(real)) {
    const missing = Object.keys(real).filter((name) => !(name in shown));
    const unknown = Object.keys(shown).filter((name) => !(name in real));
    return [
      ...missing.map((name) => `${at}.${name} is not shown: ${JSON.stringify(real[name])}`),
      ...unknown.map((name) => `${at}.${name} is shown and not answered`),
      ...Object.entries(shown).flatMap(([name, value]) =>
        name in real ? differencesOf(value, real[name], isSame, `${at}.${name}`) : [],
      ),
    ];
  }
  if (isSame(shown, real, at)) return [];
  return [`${at} is shown as ${JSON.stringify(shown)} and answered as ${JSON.stringify(real)}`];
}

/** Compares each shown entry with the real one that it resembles most. */
function differencesOfLists(
  shown: unknown[],
  real: unknown[],
  isSame: Judge,
  at: string,
): string[] {
  if (real.length === 0) return [];
  if (shown.length === 0) return [`${at} is shown empty: ${JSON.stringify(real)}`];
  return shown.flatMap((entry, n) => {
    const all = real.map((one) => differencesOf(entry, one, isSame, `${at}[${n}]`));
    return all.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}
