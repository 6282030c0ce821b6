import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";
import { classes } from "../lib/class-names.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";

export interface Around {
  label: ReactNode;
  /** Explains what to enter, below the field. */
  hint?: ReactNode;
  /** Error of the value. */
  error?: string | undefined;
  isOptional?: boolean;
  className?: string;
}

/** Look of an input. */
export const BOX =
  "min-h-9 w-full rounded-md border border-edge bg-surface px-3 py-1.5 text-sm text-ink placeholder:text-muted hover:border-ink disabled:opacity-60 aria-invalid:border-bad";

interface Described {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** A field with its label, error and hint. */
export function FieldFrame({
  label,
  hint,
  error,
  isOptional = false,
  className,
  render,
}: Around & { render: (described: Described) => ReactNode }) {
  const id = useId();
  const text = useSharedText();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={classes("flex min-w-0 flex-col gap-1", className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {isOptional && <span className="font-normal text-muted"> ({text.optional})</span>}
      </label>
      {render({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

type Without<T> = Omit<T, keyof Around | "id">;

interface TextFieldProps extends Around, Without<InputHTMLAttributes<HTMLInputElement>> {
  ref?: Ref<HTMLInputElement>;
}

/** A text input with its label, hint and error. */
export function TextField({ label, hint, error, isOptional, className, ...input }: TextFieldProps) {
  return (
    <FieldFrame
      {...around({ label, hint, error, isOptional, className })}
      render={(described) => <input {...input} {...described} className={BOX} />}
    />
  );
}

interface TextAreaProps extends Around, Without<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  ref?: Ref<HTMLTextAreaElement>;
}

/** A multi-line text input. */
export function TextArea({ label, hint, error, isOptional, className, ...area }: TextAreaProps) {
  return (
    <FieldFrame
      {...around({ label, hint, error, isOptional, className })}
      render={(described) => <textarea {...area} {...described} className={BOX} />}
    />
  );
}

interface SelectFieldProps extends Around, Without<SelectHTMLAttributes<HTMLSelectElement>> {
  ref?: Ref<HTMLSelectElement>;
}

/** A select with `option` elements. The native control works on phones. */
export function SelectField({
  label,
  hint,
  error,
  isOptional,
  className,
  ...select
}: SelectFieldProps) {
  return (
    <FieldFrame
      {...around({ label, hint, error, isOptional, className })}
      render={(described) => <select {...select} {...described} className={BOX} />}
    />
  );
}

interface CheckFieldProps extends Without<InputHTMLAttributes<HTMLInputElement>> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A checkbox, or a radio button with `type="radio"`. */
export function CheckField({ label, hint, ...input }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        type="checkbox"
        {...input}
        id={id}
        className="mt-0.5"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

type Maybe<T> = { [K in keyof T]: T[K] | undefined };

/** Omits undefined values. */
const around = ({
  label,
  hint,
  error,
  isOptional,
  className,
}: Maybe<Required<Around>>): Around => ({
  label,
  ...(hint === undefined ? {} : { hint }),
  ...(error === undefined ? {} : { error }),
  ...(isOptional === undefined ? {} : { isOptional }),
  ...(className === undefined ? {} : { className }),
});
