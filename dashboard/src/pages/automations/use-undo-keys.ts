import { useEffect, useEffectEvent } from "react";
import type { AutomationEdit } from "./edit/use-automation-edit.ts";

/** Undo with Ctrl+Z, and redo with Ctrl+Shift+Z or Ctrl+Y, except in the editor of a text. */
export function useUndoKeys({ undo, redo }: Pick<AutomationEdit, "undo" | "redo">): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const [target] = event.composedPath();
    if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
    if (target.isContentEditable || target.closest("[role=dialog]")) return;
    const key = event.key.toLowerCase();
    const run = key === "y" || (key === "z" && event.shiftKey) ? redo : key === "z" ? undo : null;
    if (run === null) return;
    event.preventDefault();
    run?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
