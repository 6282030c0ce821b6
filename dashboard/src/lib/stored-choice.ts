import { useSyncExternalStore } from "react";

/** A user preference in local storage, shared by all tabs. */
export interface StoredChoice<T extends string> {
  read: () => T;
  write: (value: T) => void;
  use: () => T;
}

/** Creates a preference with fixed values; the first one is the default. */
export function storedChoice<T extends string>(
  key: string,
  values: readonly [T, ...T[]],
  onChange: () => void,
): StoredChoice<T> {
  const listeners = new Set<() => void>();
  const changed = () => {
    onChange();
    for (const listener of listeners) listener();
  };
  const read = (): T => {
    const stored = localStorage.getItem(key);
    return values.find((value) => value === stored) ?? values[0];
  };
  window.addEventListener("storage", (event) => {
    if (event.key === key) changed();
  });
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    read,
    write: (value) => {
      localStorage.setItem(key, value);
      changed();
    },
    use: () => useSyncExternalStore(subscribe, read),
  };
}
