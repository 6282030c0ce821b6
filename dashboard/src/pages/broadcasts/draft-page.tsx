import { useEffect } from "react";
import { LeaveGuard } from "../../parts/leave-guard/leave-guard.tsx";
import { DraftForm } from "./draft-form.tsx";
import { goToPlace } from "./draft-places.ts";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useDraftEdit } from "./use-draft-edit.ts";

interface DraftPageProps {
  draft: Broadcast;
  /** Version sent with a change, so that two tabs do not overwrite each other. */
  version: string;
}

/** A draft: content, audience and schedule. Its form leads to the pre-flight check. */
export function DraftPage({ draft, version }: DraftPageProps) {
  const text = useBroadcastsText();
  const edit = useDraftEdit(draft, version);
  useEffect(() => goToPlace(location.hash.slice(1)), []);
  return (
    <>
      <LeaveGuard isChanged={edit.isChanged} words={text} />
      <DraftForm edit={edit} />
    </>
  );
}
