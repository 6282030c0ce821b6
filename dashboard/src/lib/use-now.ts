import { useSyncExternalStore } from "react";

/** Interval of the page's clock. */
export const CLOCK_STEP_MS = 15_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (timer === undefined) {
    timer = setInterval(tick, CLOCK_STEP_MS);
    document.addEventListener("visibilitychange", tick);
    tick();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
    timer = undefined;
  };
}

/**
 * Returns the current time, updated every 15 seconds by a shared clock, and as soon as a hidden tab
 * becomes visible.
 */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
