/** Returns a selection with one key added, or removed if it has it. */
export function toggled<Key>(chosen: ReadonlySet<Key>, key: Key): ReadonlySet<Key> {
  const next = new Set(chosen);
  if (!next.delete(key)) next.add(key);
  return next;
}
