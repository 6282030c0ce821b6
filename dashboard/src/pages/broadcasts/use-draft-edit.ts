import { useState } from "react";
import { changesOf, fieldsOf, rebase, type DraftFields } from "./draft-fields.ts";
import type { Broadcast } from "./states.ts";

/** Edit state of a draft. */
export interface DraftEdit {
  /** The draft on which the edits are based, with the version to send with a change. */
  draft: Broadcast;
  version: string;
  fields: DraftFields;
  /** True if the fields differ from the draft. */
  isChanged: boolean;
  /** True if another user has saved the draft since, so that this user must choose. */
  isBehind: boolean;
  change: (part: Partial<DraftFields>) => void;
  /** Replaces fields from outside of the mail editors, which then reload them. */
  replace: (part: Partial<DraftFields>) => void;
  /** Increments when fields are replaced. */
  generation: number;
  /** Continues from the draft that the service stored. */
  saved: (draft: Broadcast, version: string, sent: DraftFields) => void;
  /** Applies the unsaved edits to the newest draft. */
  keepMine: () => void;
  takeTheirs: () => void;
}

/** Props of a step. */
export interface StepProps {
  edit: DraftEdit;
  problems: Record<string, string>;
  /** Why the user may not edit. */
  mayNot: string | undefined;
}

/**
 * Edit state of a draft. A newer version replaces it only while there are no unsaved edits, so that
 * no edits are lost to changes from elsewhere.
 */
export function useDraftEdit(newest: Broadcast, newestVersion: string): DraftEdit {
  const [base, setBase] = useState({ draft: newest, version: newestVersion });
  const [seen, setSeen] = useState(newestVersion);
  const [fields, setFields] = useState(() => fieldsOf(newest));
  const [generation, setGeneration] = useState(0);
  const isChanged = Object.keys(changesOf(base.draft, fields)).length > 0;
  const isNewer = newestVersion !== seen && newestVersion !== base.version;
  // a start and its undo change the version alone
  const isOther = Object.keys(changesOf(base.draft, fieldsOf(newest))).length > 0;
  const take = (next: DraftFields) => {
    setBase({ draft: newest, version: newestVersion });
    setSeen(newestVersion);
    setFields(next);
    setGeneration(generation + 1);
  };
  const change = (part: Partial<DraftFields>) => setFields((now) => ({ ...now, ...part }));
  if (isNewer && !isChanged) take(fieldsOf(newest));
  else if (isNewer && !isOther) setBase({ draft: newest, version: newestVersion });
  return {
    ...base,
    fields,
    isChanged,
    isBehind: isNewer && isChanged && isOther,
    change,
    replace: (part) => {
      change(part);
      setGeneration((now) => now + 1); // an undo may be of an earlier render
    },
    generation,
    saved: (draft, version, sent) => {
      setBase({ draft, version });
      setFields((now) => (now === sent ? fieldsOf(draft) : now));
    },
    keepMine: () => take(rebase(base.draft, fields, newest)),
    takeTheirs: () => take(fieldsOf(newest)),
  };
}
