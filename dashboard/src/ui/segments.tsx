import type { ReactNode } from "react";

interface SegmentsProps<T> {
  label: string;
  /** Each choice with its words, in order. */
  choices: readonly (readonly [value: T, words: ReactNode])[];
  chosen: T | undefined;
  onChoose: (value: T) => void;
}

/** A choice of one of a few, such as a period or a view: buttons in one frame. */
export function Segments<T extends string | number>(props: SegmentsProps<T>) {
  const { label, choices, chosen, onChoose } = props;
  return (
    <div role="group" aria-label={label} className="segments">
      {choices.map(([value, words]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
