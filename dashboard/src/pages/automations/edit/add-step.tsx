import { useState } from "react";
import type { Step } from "../../../../../src/lib/automation-definition.ts";
import { Plus } from "../../../ui/action-icons.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { STEP_ICONS } from "../icons.tsx";
import { useEditText } from "./use-edit-text.ts";

/** The types of steps, the common ones first. */
const TYPES = ["send", "wait", "branch", "set", "notify", "webhook", "end"] as const;

interface AddStepProps {
  /** Accessible label that names the place. */
  label: string;
  /** True where no further branch fits. */
  isDeep: boolean;
  offBecause: string | undefined;
  onAdd: (type: Step["type"]) => void;
}

/** The line between two steps, with a button that adds one there. */
export function AddStep({ label, isDeep, offBecause, onAdd }: AddStepProps) {
  const text = useEditText();
  const [isOpen, setOpen] = useState(false);
  if (offBecause !== undefined) return <Line />;
  return (
    <>
      <Line />
      <button
        type="button"
        aria-label={label}
        title={text.add}
        onClick={() => setOpen(true)}
        className="-my-1 grid size-7 place-content-center rounded-full border border-line bg-surface text-muted hover:border-accent hover:text-accent"
      >
        <Plus aria-hidden className="size-4" />
      </button>
      <Line />
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text.add}>
        <ul className="-mx-2 flex flex-col">
          {TYPES.filter((type) => type !== "branch" || !isDeep).map((type, index) => {
            const Kind = STEP_ICONS[type];
            return (
              <li key={type}>
                <button
                  type="button"
                  autoFocus={index === 0}
                  onClick={() => {
                    setOpen(false);
                    onAdd(type);
                  }}
                  className="flex w-full items-start gap-3 rounded-md p-2 text-left hover:bg-sunken"
                >
                  <span className="grid size-9 shrink-0 place-content-center rounded-md bg-accent-soft">
                    <Kind aria-hidden className="size-4 text-accent" />
                  </span>
                  <span className="text-sm">
                    <span className="block font-medium">{text.types[type]}</span>
                    <span className="block text-muted">{text.typeHints[type]}</span>
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </Dialog>
    </>
  );
}

export const Line = () => <span aria-hidden className="h-4 w-px bg-edge/60" />;
