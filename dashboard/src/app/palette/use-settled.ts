import { useEffect, useState } from "react";

/** The time without a key after which a text counts as typed. */
const SETTLED_MS = 200;

/** Tells whether a text has not changed for a moment. */
export function useSettled(text: string): boolean {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled === text;
}
