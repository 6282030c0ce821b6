/** Returns an object with only the given properties. */
export function pick<Thing extends object, Key extends keyof Thing>(
  thing: Thing,
  keys: readonly Key[],
): Pick<Thing, Key> {
  // The entries are exactly these properties.
  return Object.fromEntries(keys.map((key) => [key, thing[key]])) as Pick<Thing, Key>;
}
