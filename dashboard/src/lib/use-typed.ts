import { useState } from "react";

/**
 * State of filter inputs that resets when the filters in the URL change. The fields stay mounted,
 * so they keep the focus.
 */
export function useTyped<T>(applied: T): [typed: T, setTyped: (typed: T) => void] {
  const address = JSON.stringify(applied);
  const [held, setHeld] = useState({ address, typed: applied });
  const isOld = held.address !== address;
  if (isOld) setHeld({ address, typed: applied });
  return [isOld ? applied : held.typed, (typed) => setHeld({ address, typed })];
}
