import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { ErrorWords } from "./error-words.tsx";

interface RowButtonProps {
  /** Accessible label that names the action and its row. */
  label: string;
  work: () => Promise<unknown>;
  offBecause: string | undefined;
  children: ReactNode;
}

/**
 * A row's button with its own mutation: if two rows are processed at once, each shows its own
 * outcome.
 */
export function RowButton({ label, work, offBecause, children }: RowButtonProps) {
  const run = useMutation({ mutationFn: work });
  return (
    <>
      <Button
        look="quiet"
        aria-label={label}
        offBecause={offBecause}
        isBusy={run.isPending}
        onClick={() => run.mutate()}
      >
        {children}
      </Button>
      {run.error && <ErrorWords error={run.error} />}
    </>
  );
}
