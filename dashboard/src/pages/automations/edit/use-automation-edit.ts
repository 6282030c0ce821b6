import { useState } from "react";
import type { Versioned } from "../../../api/versioned.ts";
import type { Automation } from "../queries.ts";
import { editedOf, isSame, type Edited } from "./edited.ts";
import { merge } from "./merge.ts";

/** Most states that undo goes back. */
const MOST_STATES = 200;
/** Changes of the same field within this time are undone together. */
const TOGETHER_MS = 1_500;

interface History {
  base: Versioned<Automation>;
  past: Edited[];
  now: Edited;
  future: Edited[];
  /** The field that the newest change was made in, and when. */
  last: { field: string; at: number } | undefined;
  /** Increments when a mail is replaced from outside its editor. */
  generation: number;
}

/** Edit state of an automation, with undo over all of it. */
export interface AutomationEdit {
  /** The automation that the edits are based on, with its version to send with a change. */
  base: Automation;
  version: string;
  now: Edited;
  isChanged: boolean;
  /** What somebody else has stored since, as long as the user has not decided. */
  theirs: Automation | undefined;
  generation: number;
  /** Changes the definition; changes of the same `field` in a row are one step of undo. */
  change: (next: (now: Edited) => Edited, field?: string) => void;
  /** Lets the editor of an email read its HTML again. */
  reload: () => void;
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
  saved: (stored: Versioned<Automation>, sent: Edited) => void;
  /** Merges the edits of both; mine stay where both changed the same. */
  keepMine: () => void;
  /** Takes the stored version; undo brings back mine. */
  takeTheirs: () => void;
  /** Goes back to the stored version; undo brings back the edits. */
  discard: () => void;
}

/**
 * Edit state of an automation. A newer version replaces it only while nothing is edited, so that no
 * edits are lost to changes from elsewhere.
 */
export function useAutomationEdit(newest: Versioned<Automation>): AutomationEdit {
  const [state, setState] = useState<History>(() => ({
    base: newest,
    past: [],
    now: editedOf(newest.value),
    future: [],
    last: undefined,
    generation: 0,
  }));
  const { base, now, past, future } = state;
  const stored = editedOf(newest.value);
  const isChanged = !isSame(editedOf(base.value), now);
  // a start or a pause changes no definition, and an answer may be older than what was saved
  const isNewer = newest !== base && newest.value.updated_at >= base.value.updated_at;
  const isOther = isNewer && !isSame(editedOf(base.value), stored);
  const take = (next: Edited) =>
    setState((one) => ({
      ...one,
      base: newest,
      ...(isSame(one.now, next) ? {} : moved(one, next)),
    }));
  if (isOther && !isChanged) take(stored);
  else if (isNewer && !isOther) setState((one) => ({ ...one, base: newest }));
  const step = (from: "past" | "future") =>
    setState((one) => {
      const next = one[from].at(-1);
      if (!next) return one;
      const rest = one[from].slice(0, -1);
      const behind = from === "past" ? "future" : "past";
      return {
        ...one,
        [from]: rest,
        [behind]: [...one[behind], one.now],
        now: next,
        last: undefined,
        generation: one.generation + 1,
      };
    });
  return {
    base: base.value,
    version: base.version,
    now,
    isChanged,
    theirs: isOther && isChanged ? newest.value : undefined,
    generation: state.generation,
    change: (next, field) => {
      const at = Date.now();
      setState((one) =>
        changed(one, next(one.now), field === undefined ? undefined : { field, at }),
      );
    },
    reload: () => setState((one) => ({ ...one, generation: one.generation + 1 })),
    undo: past.length > 0 ? () => step("past") : undefined,
    redo: future.length > 0 ? () => step("future") : undefined,
    saved: (saved, sent) =>
      setState((one) => ({
        ...one,
        base: saved,
        now: one.now === sent ? editedOf(saved.value) : one.now,
      })),
    keepMine: () => take(merge(editedOf(base.value), now, stored)),
    takeTheirs: () => take(stored),
    discard: () => setState((one) => ({ ...one, ...moved(one, editedOf(one.base.value)) })),
  };
}

/** Puts a state after the present one, to which undo leads back. */
const moved = (one: History, next: Edited) => ({
  past: [...one.past, one.now].slice(-MOST_STATES),
  now: next,
  future: [],
  last: undefined,
  generation: one.generation + 1,
});

function changed(one: History, next: Edited, last: History["last"]): History {
  if (isSame(one.now, next)) return one;
  const { generation } = one;
  const isTogether =
    last !== undefined && one.last?.field === last.field && last.at - one.last.at < TOGETHER_MS;
  if (isTogether) return { ...one, now: next, last };
  return { ...one, ...moved(one, next), last, generation };
}
