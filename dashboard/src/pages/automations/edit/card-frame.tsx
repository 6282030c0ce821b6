import type { KeyboardEvent, ReactNode } from "react";
import { classes } from "../../../lib/class-names.ts";
import type { Icon } from "../../../ui/icons.tsx";

interface CardFrameProps {
  id: string;
  Icon: Icon;
  /** The sentence of the card. */
  words: ReactNode;
  isOpen: boolean;
  /** True to mark a card with a problem. */
  isBad?: boolean;
  onToggle: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  /** Live numbers, at the end of the sentence. */
  numbers?: ReactNode;
  /** Below the sentence. */
  children?: ReactNode;
}

/** A card of the editor: one sentence, which opens what is below it. */
export function CardFrame(props: CardFrameProps) {
  const { id, Icon: Kind, words, isOpen, isBad = false, onToggle, onKeyDown, numbers } = props;
  return (
    <div
      className={classes(
        "w-full max-w-xl rounded-lg border bg-surface",
        isOpen ? "border-accent shadow-float" : isBad ? "border-bad" : "border-line",
      )}
    >
      <button
        type="button"
        data-head={id}
        aria-expanded={isOpen}
        onClick={onToggle}
        onKeyDown={onKeyDown}
        className="flex w-full items-center gap-3 rounded-lg p-3 text-left hover:bg-sunken/50"
      >
        <span className="grid size-8 shrink-0 place-content-center rounded-md bg-accent-soft text-accent">
          <Kind aria-hidden className="size-4" />
        </span>
        <span className="min-w-0 flex-1 text-sm font-medium">{words}</span>
      </button>
      {numbers}
      <div className="flex flex-col gap-3 px-3 pb-3 empty:hidden">{props.children}</div>
    </div>
  );
}
