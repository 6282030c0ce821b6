import { useState } from "react";

/**
 * Holds what somebody types into filters, until the address of the page has others: then they are
 * what is typed. The fields stay where they are, and so does the focus.
 */
export function useTyped<T>(applied: T): [typed: T, setTyped: (typed: T) => void] {
  const address = JSON.stringify(applied);
  const [held, setHeld] = useState({ address, typed: applied });
  const isOld = held.address !== address;
  if (isOld) setHeld({ address, typed: applied });
  return [isOld ? applied : held.typed, (typed) => setHeld({ address, typed })];
}
