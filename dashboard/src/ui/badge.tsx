import type { ReactNode } from "react";
import { classes } from "../lib/class-names.ts";

const TONES = {
  neutral: "bg-sunken text-ink",
  accent: "bg-accent-soft text-ink",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
} as const;

/** A short label for a state; never conveys it by color alone. */
export const Badge = ({
  tone = "neutral",
  children,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
}) => (
  <span
    className={classes(
      "inline-block rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap first-letter:uppercase",
      TONES[tone],
    )}
  >
    {children}
  </span>
);
