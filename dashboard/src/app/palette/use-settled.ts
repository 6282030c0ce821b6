import { useEffect, useState } from "react";

/** Debounce time in milliseconds. */
const SETTLED_MS = 200;

/** Returns true once a text has not changed for a moment (debounce). */
export function useSettled(text: string): boolean {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled === text;
}
