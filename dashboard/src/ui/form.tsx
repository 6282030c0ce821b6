import "../text/messages.en.ts";
import type { ReactNode } from "react";
import { classes } from "../lib/class-names.ts";
import { Button } from "./button.tsx";
import { useDialogLock } from "./dialog-lock.ts";
import { ErrorWords } from "./error-words.tsx";

interface FormProps {
  /** The form's mutation: its error and its progress. */
  of: { error: Error | null; isPending: boolean };
  onSubmit: () => void;
  /** Label of the submit button. */
  action: ReactNode;
  /** Why the button is disabled. */
  offBecause?: string | undefined;
  look?: "primary" | "plain";
  /** True for a full-width button. */
  isWide?: boolean;
  /** Layout classes of the fields; one column by default. */
  layout?: string;
  /** Content directly above the buttons. */
  above?: ReactNode;
  /** Additional buttons. */
  more?: ReactNode;
  children: ReactNode;
}

/** Fields with a submit button, and the error above it. */
export function Form(props: FormProps) {
  const { of, onSubmit, action, offBecause, look = "primary", isWide = false } = props;
  const { layout = "flex max-w-xl flex-col gap-4", above, more, children } = props;
  useDialogLock(of.isPending); // its outcome is not shown anywhere else
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // a form in a dialog may belong to one on the page
        onSubmit();
      }}
    >
      <div className={layout}>{children}</div>
      {of.error && <ErrorWords error={of.error} />}
      {above}
      <div className={classes("flex flex-wrap gap-2", isWide && "flex-col")}>
        <Button type="submit" look={look} isBusy={of.isPending} offBecause={offBecause}>
          {action}
        </Button>
        {more}
      </div>
    </form>
  );
}
