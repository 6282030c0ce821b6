import { lazy, Suspense, useRef, useState } from "react";
import { Calendar } from "../../ui/action-icons.tsx";
import { BOX, FieldFrame, type Around } from "../../ui/field.tsx";
import { useDateText } from "./use-date-text.ts";

const load = () => import("./calendar-popup.tsx");
const CalendarPopup = lazy(load);

interface DateFieldProps extends Around {
  type: "date" | "datetime-local";
  /** Local day or time, as the input of this type has it; may be empty. */
  value: string;
  onChange: (value: string) => void;
  required?: boolean;
}

/**
 * A day, or a day with its time: typed, or chosen in a calendar, whose code is loaded at its first
 * use. Touch screens have the picker of their system.
 */
export function DateField({ type, value, onChange, required = false, ...around }: DateFieldProps) {
  const text = useDateText();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <FieldFrame
      {...around}
      render={(described) => (
        <div className="date-field relative">
          <input
            {...described}
            ref={input}
            type={type}
            value={value}
            required={required}
            onChange={({ target }) => onChange(target.value)}
            className={BOX}
          />
          <button
            type="button"
            aria-label={text.choose}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(true)}
            onPointerEnter={() => void load()}
            onFocus={() => void load()}
            className="absolute inset-y-1 right-1 w-8 place-items-center rounded text-muted hover:bg-sunken hover:text-ink"
          >
            <Calendar aria-hidden className="size-4" />
          </button>
          {isOpen && (
            <Suspense>
              <CalendarPopup
                anchor={input}
                value={value}
                hasTime={type === "datetime-local"}
                onChange={onChange}
                onClose={() => setOpen(false)}
              />
            </Suspense>
          )}
        </div>
      )}
    />
  );
}
