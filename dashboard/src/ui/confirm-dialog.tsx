import { useRef, useState, type ReactNode } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorWords } from "./error-words.tsx";
import { TextField } from "./field.tsx";
import { showToast } from "./toast.tsx";

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Starts the work; the signal aborts its calls if the user leaves before the response. */
  onConfirm: (signal: AbortSignal) => void;
  title: string;
  /** Describes what will be deleted or changed. */
  children: ReactNode;
  /** Button label, for example "Delete the project". */
  action: string;
  /** Label of the button that leaves it; "Cancel" by default. */
  cancel?: string;
  /** The look of its button; that of a danger by default. */
  look?: "danger" | "primary";
  /** The name that the user must type before an irreversible action. */
  name?: string;
  isBusy?: boolean;
  error?: Error | null;
}

/**
 * Asks for confirmation of an irreversible action; with `name`, the user must type it. The dialog
 * is shared by all rows of a page, so cancelling it also aborts its pending request: a late
 * response would close the dialog of another row.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return props.isOpen && <Question {...props} />;
}

function Question(props: ConfirmDialogProps) {
  const { onClose, onConfirm, title, children, action, name, isBusy = false, error } = props;
  const text = useSharedText();
  const { look = "danger", cancel = text.cancel } = props;
  const [typed, setTyped] = useState("");
  const [former] = useState(error); // from an earlier attempt
  const work = useRef<AbortController>(null);
  const isTyped = name === undefined || typed.trim() === name.trim();
  const confirm = () => {
    work.current = new AbortController();
    onConfirm(work.current.signal);
  };
  const leave = () => {
    if (isBusy && work.current) {
      work.current.abort();
      showToast(text.leftWaiting);
    }
    onClose();
  };
  return (
    <Dialog isOpen onClose={leave} title={title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped) confirm();
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
          <Button onClick={leave}>{cancel}</Button>
          <Button
            type="submit"
            look={look}
            isBusy={isBusy}
            offBecause={isTyped ? undefined : text.typeToConfirm(name ?? "")}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
