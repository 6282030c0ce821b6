import { useId, type ReactNode } from "react";

interface FieldGroupProps {
  title: string;
  /** Explains the fields, below the title. */
  hint?: ReactNode;
  /** Error of the group as a whole. */
  error?: string | undefined;
  children: ReactNode;
}

/** A titled group of fields. In a multi-column form it spans all columns. */
export function FieldGroup({ title, hint, error, children }: FieldGroupProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`];
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-3 border-t border-line pt-4 sm:col-span-2"
      aria-describedby={described.filter(Boolean).join(" ") || undefined}
    >
      <legend className="float-left text-sm font-semibold">{title}</legend>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {children}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
