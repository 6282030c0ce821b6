import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";
import { When } from "./when.tsx";

interface CompareNoticeProps {
  words: Record<
    "conflict" | "conflictWords" | "keepMine" | "takeTheirs" | "compare" | "compareTitle",
    string
  >;
  /** When the other user saved. */
  at: string;
  isBusy?: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  /** Both versions, for the dialog. */
  children: ReactNode;
}

/** Reports that another user has saved in the meantime, and offers a comparison and the choice. */
export function CompareNotice({
  words,
  at,
  isBusy = false,
  children,
  ...choices
}: CompareNoticeProps) {
  const [isComparing, setComparing] = useState(false);
  const choose = (choice: () => void) => () => {
    setComparing(false);
    choice();
  };
  const buttons = (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button onClick={choose(choices.onKeepMine)} isBusy={isBusy}>
        {words.keepMine}
      </Button>
      <Button onClick={choose(choices.onTakeTheirs)}>{words.takeTheirs}</Button>
      {!isComparing && <Button onClick={() => setComparing(true)}>{words.compare}</Button>}
    </div>
  );
  return (
    <Notice tone="warn" role="alert">
      <p>
        {words.conflict} <When at={at} />
      </p>
      <p>{words.conflictWords}</p>
      {buttons}
      <Dialog
        isOpen={isComparing}
        onClose={() => setComparing(false)}
        title={words.compareTitle}
        isWide
      >
        {children}
        {buttons}
      </Dialog>
    </Notice>
  );
}
