import { X } from "./icons.tsx";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";

interface Toast {
  id: number;
  message: string;
  undo?: (() => void) | undefined;
  isOfPage: boolean;
}

const SHOWN_MS = 6_000;
const WITH_UNDO_MS = 15_000;

let nextId = 0;
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

function set(value: readonly Toast[]) {
  toasts = value;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => set(toasts.filter((toast) => toast.id !== id));

/**
 * Confirms an action; with `undo`, a button reverts it within 15 seconds. With `isOfPage`, the toast
 * disappears with the page, to which its `undo` or its words belong.
 */
export function showToast(
  message: string,
  undo?: () => void,
  { isOfPage = false }: { isOfPage?: boolean } = {},
): void {
  const id = nextId++;
  set([...toasts, { id, message, undo, isOfPage }]);
  setTimeout(() => dismiss(id), undo ? WITH_UNDO_MS : SHOWN_MS);
}

/** Container of toasts, below everything else. A live region for screen readers. */
export function Toasts() {
  const text = useSharedText();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const { pathname } = useLocation();
  useEffect(() => () => set(toasts.filter(({ isOfPage }) => !isOfPage)), [pathname]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2"
    >
      {shown.map(({ id, message, undo }) => (
        <div
          key={id}
          className="rises pointer-events-auto flex max-w-full items-center gap-3 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 text-sm shadow-float"
        >
          <span>{message}</span>
          {undo && (
            <Button
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              {text.undo}
            </Button>
          )}
          <button
            type="button"
            aria-label={text.close}
            onClick={() => dismiss(id)}
            className="rounded p-1 text-muted hover:bg-sunken"
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
      ))}
    </div>
  );
}
