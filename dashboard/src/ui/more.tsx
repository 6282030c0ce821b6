import type { ReactNode } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";

/** Rarely used fields, closed at first. They open when one of them has an error or a value. */
export function More({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const { more } = useSharedText();
  return (
    <details open={isOpen || undefined} className="border-t border-line pt-3">
      <summary className="text-sm font-medium">{more}</summary>
      <div className="mt-3 flex flex-col gap-4">{children}</div>
    </details>
  );
}
