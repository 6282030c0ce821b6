import type { ReactNode } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";

interface EmptyStateProps {
  title: string;
  /** Explains what to do next. */
  children: ReactNode;
  action?: ReactNode;
}

/** Placeholder of an empty list: explains why it is empty, and what to do next. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-dashed border-edge px-6 py-12 text-center">
      <h2 className="font-semibold">{title}</h2>
      <div className="max-w-prose text-muted">{children}</div>
      {action}
    </div>
  );
}

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
