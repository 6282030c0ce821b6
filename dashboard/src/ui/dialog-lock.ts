import { createContext, use, useEffect } from "react";

/** Locks the dialog around a component, or unlocks it. */
export const DialogLock = createContext<(isLocked: boolean) => void>(() => undefined);

/**
 * Keeps the dialog open until its own button closes it, while it shows what no later page shows.
 */
export function useDialogLock(isLocked: boolean): void {
  const lock = use(DialogLock);
  useEffect(() => {
    lock(isLocked);
    return () => lock(false);
  }, [lock, isLocked]);
}
