import type { ReactNode } from "react";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Form } from "../../ui/form.tsx";
import { LeaveGuard } from "../leave-guard/leave-guard.tsx";
import { SettingsBehind } from "./settings-behind.tsx";
import { useEditText } from "./use-edit-text.ts";
import type { SettingsEdit } from "./use-settings-edit.ts";

interface SettingsFormProps {
  edit: Pick<SettingsEdit<object>, "isChanged" | "isBehind" | "keepMine" | "takeTheirs">;
  save: { error: Error | null; isPending: boolean; mutate: () => void; reset: () => void };
  offBecause?: string | undefined;
  layout?: string;
  /** Additional buttons. */
  more?: ReactNode;
  children: ReactNode;
}

/**
 * A form that never silently overwrites another user's changes, and asks before discarding unsaved
 * input.
 */
export function SettingsForm({ edit, save, offBecause, children, ...look }: SettingsFormProps) {
  const text = useEditText();
  const shared = useSharedText();
  return (
    <Form
      of={edit.isBehind ? { ...save, error: null } : save}
      onSubmit={() => save.mutate()}
      action={shared.save}
      offBecause={offBecause ?? (edit.isBehind ? text.chooseFirst : undefined)}
      above={<SettingsBehind edit={edit} onChoose={() => save.reset()} />}
      {...look}
    >
      <LeaveGuard isChanged={edit.isChanged && offBecause === undefined} words={text} />
      {children}
    </Form>
  );
}
