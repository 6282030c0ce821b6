import { useEffect, useState } from "react";
import { isRunning, type Broadcast } from "./states.ts";

/** The time in which the mails in hand get their outcomes after a broadcast paused or ended. */
const SETTLE_MS = 120_000;

/** Tells whether the numbers of a broadcast change: while it runs, and shortly afterwards. */
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
