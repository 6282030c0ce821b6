import { activeShortcuts } from "../lib/shortcuts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useAppText } from "./use-app-text.ts";

/** Lists the shortcuts of the page. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const text = useAppText();
  const listed = [{ keys: "Ctrl K", label: text.shortcutPalette }, ...activeShortcuts()];
  return (
    <Dialog isOpen onClose={onClose} title={text.shortcuts}>
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
