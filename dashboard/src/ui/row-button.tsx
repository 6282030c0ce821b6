import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { ErrorWords } from "./error-words.tsx";

interface RowButtonProps {
  /** Names the work and its row for screen readers. */
  label: string;
  work: () => Promise<unknown>;
  offBecause: string | undefined;
  children: ReactNode;
}

/** A button of a row with its own work: of two rows at once, each shows how its work ended. */
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
