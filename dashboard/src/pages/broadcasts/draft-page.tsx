import { useEffect } from "react";
import { DraftForm } from "./draft-form.tsx";
import { goToPlace } from "./draft-places.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import type { Broadcast } from "./states.ts";
import { useDraftEdit } from "./use-draft-edit.ts";

interface DraftPageProps {
  draft: Broadcast;
  /** The version that a change names, so that two tabs lose nothing. */
  version: string;
}

/** A draft: what it sends, to whom and when. Its form leads to the pre-flight. */
export function DraftPage({ draft, version }: DraftPageProps) {
  const edit = useDraftEdit(draft, version);
  useEffect(() => goToPlace(location.hash.slice(1)), []);
  return (
    <>
      <LeaveGuard isChanged={edit.isChanged} />
      <DraftForm edit={edit} />
    </>
  );
}
