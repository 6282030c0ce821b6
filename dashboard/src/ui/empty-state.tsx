import type { ReactNode } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";
import { Send, type Icon } from "./icons.tsx";

interface EmptyStateProps {
  title: string;
  /** Explains what to do next. */
  children: ReactNode;
  action?: ReactNode;
  /** Drawing of what is missing. */
  Icon?: Icon;
}

/** Placeholder of an empty list: explains why it is empty, and what to do next. */
export function EmptyState({ title, children, action, Icon: Drawing = Send }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <span aria-hidden className="relative mb-2 text-muted">
        <svg viewBox="0 0 136 72" fill="none" stroke="currentColor" className="h-18 w-34">
          <circle cx="36" cy="36" r="33" />
          <circle cx="36" cy="36" r="28" strokeDasharray="1 3" />
          <path d={WAVES} />
        </svg>
        <Drawing className="absolute top-6 left-6 size-6 text-accent" />
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="mb-2 max-w-prose text-balance text-muted">{children}</div>
      {action}
    </div>
  );
}

/** Cancellation lines of a postmark, right of its circle. */
const WAVES = [20, 30, 40, 50].map((y) => `M74 ${y}q7.5-6 15 0t15 0t15 0t15 0`).join("");

/** Placeholder of a later page whose entries no longer exist. */
export function EmptiedPage({ onFirst }: { onFirst: () => void }) {
  const text = useSharedText();
  return (
    <EmptyState
      title={text.emptiedPage}
      action={<Button onClick={onFirst}>{text.firstPage}</Button>}
    >
      {text.emptiedPageWords}
    </EmptyState>
  );
}
