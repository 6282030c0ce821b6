/** Values by key, for an isolate that would otherwise make them again and again. */
export interface RecentValues<Value> {
  /** Returns the value of a key, and makes it if nobody asked for it lately. */
  of: (key: string, make: (key: string) => Value) => Value;
}

/** The longest key that is kept, in characters. */
const KEY_LENGTH_MAX = 1_024;

/** Keeps at most `max` values. It forgets all of them when there is no room for another one. */
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
