import { useState, type ReactNode } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";
import { useDialogLock } from "./dialog-lock.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorWords } from "./error-words.tsx";
import { TextField } from "./field.tsx";

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** Says what will be gone or changed. */
  children: ReactNode;
  /** The words of the button, for example "Delete the project". */
  action: string;
  /** The name that must be typed before something that cannot be undone. */
  name?: string;
  isBusy?: boolean;
  error?: Error | null;
}

/**
 * Asks before something that cannot be undone; with `name`, that name must be typed. The question
 * stays until its work has ended: a page asks it about each of its rows.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <Question {...props} />
    </Dialog>
  );
}

function Question({
  onClose,
  onConfirm,
  children,
  action,
  name,
  isBusy,
  error,
}: ConfirmDialogProps) {
  const text = useSharedText();
  const [typed, setTyped] = useState("");
  const [former] = useState(error); // of what somebody tried before this question
  useDialogLock(isBusy ?? false); // its outcome belongs to this question
  const isTyped = name === undefined || typed.trim() === name.trim();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped) onConfirm();
      }}
    >
      <div>{children}</div>
      {name !== undefined && (
        <TextField
          label={text.typeToConfirm(name)}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoFocus
        />
      )}
      {error && error !== former && <ErrorWords error={error} />}
      <div className="flex justify-end gap-2">
        <Button isBusy={isBusy ?? false} onClick={onClose}>
          {text.cancel}
        </Button>
        <Button
          type="submit"
          look="danger"
          isBusy={isBusy ?? false}
          offBecause={isTyped ? undefined : text.typeToConfirm(name ?? "")}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
