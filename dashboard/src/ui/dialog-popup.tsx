import { Dialog } from "@base-ui/react/dialog";
import { X } from "./icons.tsx";
import { useRef, useState } from "react";
import { classes } from "../lib/class-names.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { DialogLock } from "./dialog-lock.ts";
import type { DialogProps } from "./dialog.tsx";

/**
 * The open dialog, which traps the focus. Escape and outside clicks close it until the user types
 * in it; a locked dialog closes only by its own button.
 */
export default function DialogPopup({ isOpen, onClose, title, children, isWide }: DialogProps) {
  const text = useSharedText();
  const [isLocked, setLocked] = useState(false);
  const isTyped = useRef(false);
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open, { reason }) => {
        const isMeant = reason === "close-press" || !isTyped.current;
        if (!open && !isLocked && isMeant) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop pops fixed inset-0 z-40 bg-(--shade)/40" />
        <Dialog.Popup
          // React events bubble to a form around the dialog, although it is not a DOM ancestor
          onSubmit={(event) => event.stopPropagation()}
          onInput={() => {
            isTyped.current = true;
          }}
          className={classes(
            "pops fixed inset-x-4 top-[8vh] z-50 mx-auto max-h-[84vh] overflow-y-auto rounded-lg border border-line bg-surface p-6 shadow-float",
            isWide ? "max-w-5xl" : "max-w-lg",
          )}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
            {!isLocked && (
              <Dialog.Close
                aria-label={text.close}
                className="-m-1 rounded-md p-1 text-muted hover:bg-sunken hover:text-ink"
              >
                <X aria-hidden className="size-5" />
              </Dialog.Close>
            )}
          </div>
          <DialogLock value={setLocked}>{children}</DialogLock>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
