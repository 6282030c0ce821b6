import { BehindNotice } from "../../ui/behind-notice.tsx";
import { useEditText } from "./use-edit-text.ts";
import type { SettingsEdit } from "./use-settings-edit.ts";

interface SettingsBehindProps {
  edit: Pick<SettingsEdit<object>, "isBehind" | "keepMine" | "takeTheirs">;
  /** Clears the refusal of the last save. */
  onChoose: () => void;
}

/** Says that somebody else saved the same in the meantime, and gives the choice. */
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
