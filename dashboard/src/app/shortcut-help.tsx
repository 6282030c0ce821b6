import { activeShortcuts, shortcutsChoice } from "../lib/shortcuts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CheckField } from "../ui/field.tsx";
import { useAppText } from "./use-app-text.ts";

/** Lists the page's shortcuts, with a switch for those without Ctrl. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const text = useAppText();
  const isOn = shortcutsChoice.use() === "on";
  const ofLetters = isOn ? activeShortcuts() : [];
  const listed = [{ keys: "Ctrl K", label: text.shortcutPalette }, ...ofLetters];
  return (
    <Dialog isOpen onClose={onClose} title={text.shortcuts}>
      {/* saved immediately, so closing the dialog with Escape loses nothing */}
      <div className="mb-4" onInput={(event) => event.stopPropagation()}>
        <CheckField
          label={text.shortcutsOn}
          hint={text.shortcutsHint}
          checked={isOn}
          onChange={({ target }) => shortcutsChoice.write(target.checked ? "on" : "off")}
        />
      </div>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {listed.map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key} className="mr-1 rounded border border-edge px-1.5 py-0.5 text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
