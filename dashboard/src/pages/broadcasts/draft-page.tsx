import type { Broadcast } from "./states.ts";
import { DraftForm } from "./draft-form.tsx";
import { Preflight } from "./preflight.tsx";
import { SeenBy } from "./seen-by.tsx";
import { TestMail } from "./test-mail.tsx";

interface DraftPageProps {
  draft: Broadcast;
  /** The version that a change names, so that two tabs lose nothing. */
  version: string;
}

/** A draft: what it sends and when, a test to any address, and the last look before the start. */
export const DraftPage = ({ draft, version }: DraftPageProps) => (
  <>
    <DraftForm key={version} draft={draft} version={version} />
    {draft.template_id && <TestMail draft={draft} templateId={draft.template_id} />}
    {draft.template_id && <SeenBy draft={draft} templateId={draft.template_id} />}
    <Preflight draft={draft} version={version} />
  </>
);
