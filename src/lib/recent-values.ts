/** A per-isolate cache of computed values. */
export interface RecentValues<Value> {
  /** Returns the cached value of a key, or computes it. */
  of: (key: string, make: (key: string) => Value) => Value;
}

/** Maximum length of a cached key, in characters. */
const KEY_LENGTH_MAX = 1_024;

/** Caches at most `max` values, and clears all of them when it is full. */
export function recentValues<Value>(max: number): RecentValues<Value> {
  const values = new Map<string, Value>();
  return {
    of(key, make) {
      const known = values.get(key);
      if (known !== undefined) return known;
      const made = make(key);
      if (key.length > KEY_LENGTH_MAX) return made;
      if (values.size >= max) values.clear();
      values.set(key, made);
      return made;
    },
  };
}
