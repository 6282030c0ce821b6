import { useEffect, useEffectEvent } from "react";
import { storedChoice } from "./stored-choice.ts";

/**
 * Whether single letters are shortcuts. Users with speech input, or who hit keys by mistake, can
 * switch them off.
 */
export const shortcutsChoice = storedChoice("postrider.shortcuts", ["on", "off"], () => undefined);

export interface Shortcut {
  /** A key sequence such as "g o", or a single key such as "?". */
  keys: string;
  /** Description for the list of shortcuts and the palette. */
  label: string;
  run: () => void;
}

const SEQUENCE_MS = 1_000;
const shortcuts = new Set<Shortcut>();
let typed = "";
let typedAt = 0;

export const activeShortcuts = (): Shortcut[] => [...shortcuts];

/** Registers a shortcut while the component is mounted. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const newest = useEffectEvent(run);
  useEffect(() => {
    const shortcut = { keys, label, run: () => newest() };
    shortcuts.add(shortcut);
    return () => {
      shortcuts.delete(shortcut);
    };
  }, [keys, label]);
}

/** Runs the shortcut that matches the typed keys. Ignores keys typed into a field or a dialog. */
export function handleShortcut(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || key.length > 1) return;
  if (shortcutsChoice.read() === "off") return;
  if (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]")
  )
    return;
  typed = event.timeStamp - typedAt < SEQUENCE_MS ? `${typed} ${key}`.trim() : key;
  typedAt = event.timeStamp;
  const all = activeShortcuts();
  // "g e" navigates, although "e" alone is another shortcut
  const match = all.find(({ keys }) => keys === typed) ?? all.find(({ keys }) => keys === key);
  if (!match) return;
  typed = "";
  event.preventDefault();
  match.run();
}
