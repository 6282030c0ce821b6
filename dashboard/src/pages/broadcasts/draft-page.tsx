import type { Broadcast } from "./states.ts";
import { DraftForm } from "./draft-form.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { Preflight } from "./preflight.tsx";
import { SeenBy } from "./seen-by.tsx";
import { TestMail } from "./test-mail.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useDraftEdit } from "./use-draft-edit.ts";

interface DraftPageProps {
  draft: Broadcast;
  /** The version that a change names, so that two tabs lose nothing. */
  version: string;
}

/** A draft: what it sends and when, a test to any address, and the last look before the start. */
export function DraftPage({ draft, version }: DraftPageProps) {
  const text = useBroadcastsText();
  const edit = useDraftEdit(draft, version);
  const saved = edit.draft;
  const saveFirst = edit.isChanged ? text.saveFirst : undefined;
  return (
    <>
      <LeaveGuard isChanged={edit.isChanged} />
      <DraftForm edit={edit} />
      <TestMail draft={saved} saveFirst={saveFirst} />
      <SeenBy draft={saved} />
      <Preflight key={edit.version} draft={saved} version={edit.version} saveFirst={saveFirst} />
    </>
  );
}
