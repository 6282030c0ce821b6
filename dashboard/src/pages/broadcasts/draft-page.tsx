import { useEffect } from "react";
import { LeaveGuard } from "../../parts/leave-guard/leave-guard.tsx";
import { DraftForm } from "./draft-form.tsx";
import { goToPlace } from "./draft-places.ts";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useDraftEdit } from "./use-draft-edit.ts";

interface DraftPageProps {
  draft: Broadcast;
  /** The version that a change names, so that two tabs lose nothing. */
  version: string;
}

/** A draft: what it sends, to whom and when. Its form leads to the pre-flight. */
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
