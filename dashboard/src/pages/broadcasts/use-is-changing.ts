import { useEffect, useState } from "react";
import { isRunning, type Broadcast } from "./states.ts";

/**
 * How long mails in flight may take to get their outcomes after a broadcast was paused or stopped.
 */
const SETTLE_MS = 120_000;

/** Returns true while the counts of a broadcast change: while it runs, and shortly afterwards. */
export function useIsChanging({ state, finished_at }: Broadcast): boolean {
  const [settled, setSettled] = useState(() =>
    finished_at !== null && Date.now() - Date.parse(finished_at) > SETTLE_MS ? state : undefined,
  );
  useEffect(() => {
    if (isRunning(state)) return;
    const timer = setTimeout(() => setSettled(state), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      setSettled(undefined);
    };
  }, [state]);
  return isRunning(state) || settled !== state;
}
