import { useState } from "react";
import { changesOf, fieldsOf, rebase, type DraftFields } from "./draft-fields.ts";
import type { Broadcast } from "./states.ts";

/** A draft that somebody edits. */
export interface DraftEdit {
  /** The draft on which the edit is based, with the version that a change names. */
  draft: Broadcast;
  version: string;
  fields: DraftFields;
  /** The fields differ from the draft. */
  isChanged: boolean;
  /** Somebody else saved the draft since, so that the person must choose. */
  isBehind: boolean;
  change: (part: Partial<DraftFields>) => void;
  /** Goes on from the draft that the service stored. */
  saved: (draft: Broadcast, version: string, sent: DraftFields) => void;
  /** Puts what was typed on top of the newest draft. */
  keepMine: () => void;
  takeTheirs: () => void;
}

/**
 * Holds what somebody types into a draft. A newer version of the draft replaces it only while
 * nothing is typed, so that nobody loses an edit to a change from elsewhere.
 */
export function useDraftEdit(newest: Broadcast, newestVersion: string): DraftEdit {
  const [base, setBase] = useState({ draft: newest, version: newestVersion });
  const [seen, setSeen] = useState(newestVersion);
  const [fields, setFields] = useState(() => fieldsOf(newest));
  const isChanged = Object.keys(changesOf(base.draft, fields)).length > 0;
  const isNewer = newestVersion !== seen && newestVersion !== base.version;
  const take = (next: DraftFields) => {
    setBase({ draft: newest, version: newestVersion });
    setSeen(newestVersion);
    setFields(next);
  };
  if (isNewer && !isChanged) take(fieldsOf(newest));
  return {
    ...base,
    fields,
    isChanged,
    isBehind: isNewer && isChanged,
    change: (part) => setFields((now) => ({ ...now, ...part })),
    saved: (draft, version, sent) => {
      setBase({ draft, version });
      setFields((now) => (now === sent ? fieldsOf(draft) : now));
    },
    keepMine: () => take(rebase(base.draft, fields, newest)),
    takeTheirs: () => take(fieldsOf(newest)),
  };
}
