import { LeaveGuard } from "../../parts/leave-guard/leave-guard.tsx";
import { DraftForm } from "./draft-form.tsx";
import type { Broadcast } from "./states.ts";
import type { Step } from "./steps.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useDraftEdit } from "./use-draft-edit.ts";

interface DraftPageProps {
  draft: Broadcast;
  /** Version sent with a change, so that two tabs do not overwrite each other. */
  version: string;
  step: Exclude<Step, "check">;
}

/** A draft in three steps: mail, people and time. They lead to the pre-flight check. */
export function DraftPage({ draft, version, step }: DraftPageProps) {
  const text = useBroadcastsText();
  const edit = useDraftEdit(draft, version);
  return (
    <>
      <LeaveGuard isChanged={edit.isChanged} words={text} />
      <DraftForm edit={edit} step={step} />
    </>
  );
}
