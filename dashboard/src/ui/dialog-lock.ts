import { createContext, use, useEffect } from "react";

/** Locks or unlocks the surrounding dialog. */
export const DialogLock = createContext<(isLocked: boolean) => void>(() => undefined);

/**
 * Keeps the dialog open, except for its own close button, while it shows something that is shown
 * only once.
 */
export function useDialogLock(isLocked: boolean): void {
  const lock = use(DialogLock);
  useEffect(() => {
    lock(isLocked);
    return () => lock(false);
  }, [lock, isLocked]);
}
