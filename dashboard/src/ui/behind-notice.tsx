import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

interface BehindNoticeProps {
  words: { behind: string; keepMine: string; takeTheirs: string };
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Reports that another user has saved in the meantime, and offers the choice. */
export function BehindNotice({ words, onKeepMine, onTakeTheirs }: BehindNoticeProps) {
  return (
    <Notice tone="warn" role="alert">
      <p>{words.behind}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={onKeepMine}>{words.keepMine}</Button>
        <Button onClick={onTakeTheirs}>{words.takeTheirs}</Button>
      </div>
    </Notice>
  );
}
