import { createLink } from "@tanstack/react-router";
import {
  useId,
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  type MouseEvent,
  type Ref,
} from "react";
import { classes } from "../lib/class-names.ts";

type Look = "primary" | "plain" | "quiet" | "danger";

const LOOKS: Record<Look, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:bg-accent-strong",
  plain: "bg-surface text-ink border-line hover:border-edge",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  danger: "bg-surface text-bad border-bad hover:bg-bad-soft",
};

const BASE =
  "button inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3 py-1.5 text-sm font-medium wrap-break-word";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  /** Shows progress at the same width, and ignores clicks. */
  isBusy?: boolean;
  /** Why the button is disabled; it remains focusable. */
  offBecause?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with the default type "button". */
export function Button({
  look = "plain",
  isBusy = false,
  offBecause,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isOff = isBusy || offBecause !== undefined;
  return (
    <>
      <button
        {...rest}
        type={type}
        className={classes(BASE, LOOKS[look], isOff && "cursor-not-allowed opacity-60", className)}
        aria-disabled={isOff || undefined}
        aria-busy={isBusy || undefined}
        aria-describedby={offBecause === undefined ? rest["aria-describedby"] : reasonId}
        title={offBecause ?? rest.title}
        onClick={isOff ? cancelClick : onClick}
      >
        {children}
      </button>
      {offBecause !== undefined && (
        <span id={reasonId} className="reason">
          {offBecause}
        </span>
      )}
    </>
  );
}

/**
 * Prevents form submission. Enter in a field also clicks the submit button; without one, it would
 * submit the form.
 */
const cancelClick = (event: MouseEvent) => event.preventDefault();

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  look?: Look;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link styled as a button, with the typed `to`, `params` and `search` of a link. */
export const LinkButton = createLink(function ButtonAnchor({
  look = "plain",
  className,
  ...rest
}: AnchorProps) {
  return <a {...rest} className={classes(BASE, LOOKS[look], className)} />;
});

/** The look of a link in a text. */
export const LINK =
  "text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent";

/** An inline link. */
export const TextLink = createLink(function TextAnchor({ className, ...rest }: AnchorProps) {
  return <a {...rest} className={classes(LINK, className)} />;
});
