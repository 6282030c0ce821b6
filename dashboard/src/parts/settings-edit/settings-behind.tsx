import { BehindNotice } from "../../ui/behind-notice.tsx";
import { useEditText } from "./use-edit-text.ts";
import type { SettingsEdit } from "./use-settings-edit.ts";

interface SettingsBehindProps {
  edit: Pick<SettingsEdit<object>, "isBehind" | "keepMine" | "takeTheirs">;
  /** Clears the error of the last save. */
  onChoose: () => void;
}

/** Reports an edit conflict with another user, and offers the choice. */
export function SettingsBehind({ edit, onChoose }: SettingsBehindProps) {
  const text = useEditText();
  if (!edit.isBehind) return null;
  const choose = (choice: () => void) => {
    onChoose();
    choice();
  };
  return (
    <BehindNotice
      words={text}
      onKeepMine={() => choose(edit.keepMine)}
      onTakeTheirs={() => choose(edit.takeTheirs)}
    />
  );
}
