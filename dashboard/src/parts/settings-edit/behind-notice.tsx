import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useEditText } from "./use-edit-text.ts";
import type { SettingsEdit } from "./use-settings-edit.ts";

interface BehindNoticeProps {
  edit: Pick<SettingsEdit<object>, "isBehind" | "keepMine" | "takeTheirs">;
  /** Clears the refusal of the last save. */
  onChoose: () => void;
}

/** Says that somebody else saved the settings in the meantime, and gives the choice. */
export function BehindNotice({ edit, onChoose }: BehindNoticeProps) {
  const text = useEditText();
  if (!edit.isBehind) return null;
  const choose = (choice: () => void) => {
    onChoose();
    choice();
  };
  return (
    <Notice tone="warn" role="alert">
      <p>{text.behind}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => choose(edit.keepMine)}>{text.keepMine}</Button>
        <Button onClick={() => choose(edit.takeTheirs)}>{text.takeTheirs}</Button>
      </div>
    </Notice>
  );
}
