import { CircleAlert, CircleCheck, Info, TriangleAlert } from "./icons.tsx";
import type { ReactNode } from "react";
import { classes } from "../lib/class-names.ts";

type Tone = "info" | "good" | "warn" | "bad";

const TONES = {
  info: { look: "bg-accent-soft text-ink", Icon: Info },
  good: { look: "bg-good-soft text-good", Icon: CircleCheck },
  warn: { look: "bg-warn-soft text-warn", Icon: TriangleAlert },
  bad: { look: "bg-bad-soft text-bad", Icon: CircleAlert },
} satisfies Record<Tone, unknown>;

interface NoticeProps {
  tone?: Tone;
  role?: "alert" | "status";
  children: ReactNode;
}

/** A highlighted message with an icon for its kind. */
export function Notice({ tone = "info", role, children }: NoticeProps) {
  const { look, Icon } = TONES[tone];
  return (
    <div role={role} className={classes("flex gap-3 rounded-md px-4 py-3 text-sm", look)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
