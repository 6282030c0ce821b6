import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useAppText } from "../use-app-text.ts";
import { usePlace } from "../use-place.ts";
import { useEntries, type Entry } from "./use-entries.ts";
import { useFinds } from "./use-finds.ts";
import { usePaletteText } from "./use-palette-text.ts";
import { wordsOf } from "./words-of.ts";

/** Maximum search length that the service accepts. */
const MOST_CHARACTERS = 254;

/** The command palette: finds pages, projects, settings, and contents of the current project. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { search } = useAppText();
  const text = usePaletteText();
  const id = useId();
  const place = usePlace();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string>();
  const isNamed = wordsOf(typed);
  const finds = useFinds(place, typed);
  const entries = useEntries(place).filter(({ label, detail }) => isNamed(label, detail));
  const found = [...entries, ...finds.entries];
  // results that arrive later must not move the selection
  const at = Math.max(
    found.findIndex(({ key }) => key === chosen),
    0,
  );
  const chosenKey = found[at]?.key;
  const hint = place.project ? text.hintInProject : text.hint;
  useEffect(() => {
    document.getElementById(`${id}-${chosenKey}`)?.scrollIntoView({ block: "nearest" });
  }, [id, chosenKey]);

  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setChosen(found[(at + step + found.length) % found.length]?.key);
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[at]);
    }
  };

  return (
    <Dialog isOpen onClose={onClose} title={search}>
      <input
        role="combobox"
        aria-label={hint}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosenKey && `${id}-${chosenKey}`}
        placeholder={hint}
        maxLength={MOST_CHARACTERS}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(undefined);
        }}
        onKeyDown={onKeyDown}
        className="mb-2 w-full rounded-md border border-edge bg-surface px-3 py-2"
        autoFocus
      />
      <ul id={`${id}-list`} role="listbox" aria-label={search}>
        {found.map((entry, index) => (
          <li
            key={entry.key}
            id={`${id}-${entry.key}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(entry)}
            className="flex cursor-pointer justify-between gap-3 rounded-md px-3 py-1.5 hover:bg-sunken aria-selected:bg-accent-soft"
          >
            <span className="min-w-0 wrap-break-word">{entry.label}</span>
            {entry.detail !== undefined && <span className="text-muted">{entry.detail}</span>}
          </li>
        ))}
      </ul>
      {finds.error && <ErrorWords error={finds.error} onRetry={finds.retry} />}
      <p role="status" className="px-3 text-muted">
        {finds.isLooking && text.looking}
        {!finds.isLooking && !finds.error && found.length === 0 && (
          <>
            {text.nothingFound} {place.project && text.howItLooks}
          </>
        )}
      </p>
    </Dialog>
  );
}
