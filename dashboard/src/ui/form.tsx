import type { ReactNode } from "react";
import { classes } from "../lib/class-names.ts";
import { Button } from "./button.tsx";
import { useDialogLock } from "./dialog-lock.ts";
import { ErrorWords } from "./error-words.tsx";

interface FormProps {
  /** The work of the form: its error and its progress. */
  of: { error: Error | null; isPending: boolean };
  onSubmit: () => void;
  /** The words of the button. */
  action: ReactNode;
  /** Says why the button does nothing. */
  offBecause?: string | undefined;
  look?: "primary" | "plain";
  /** The button is as wide as the form. */
  isWide?: boolean;
  /** Lays out the fields; in one column by default. */
  layout?: string;
  /** The part right above the buttons. */
  above?: ReactNode;
  /** Further buttons beside the first. */
  more?: ReactNode;
  children: ReactNode;
}

/** Fields with the button that submits them, and above it the words of a refusal. */
export function Form(props: FormProps) {
  const { of, onSubmit, action, offBecause, look = "primary", isWide = false } = props;
  const { layout = "flex max-w-xl flex-col gap-4", above, more, children } = props;
  useDialogLock(of.isPending); // its outcome is shown nowhere else
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
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
