import type { QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { PostriderError } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { versioned, type Versioned } from "../../api/versioned.ts";

interface StoreOptions {
  ifMatch: string;
  onResponse: (response: Response) => void;
}

/** Settings to edit, and how to load and store them. */
interface Settings<T, Fields> {
  /** Key of the query that loads the stored value with its version. */
  queryKey: QueryKey;
  /** Returns the fields that this form edits. */
  fieldsOf: (stored: T) => Fields;
  /** Stores the fields and returns the new stored value. */
  put: (fields: Fields, options: StoreOptions, before: T) => Promise<T>;
}

/** Edit state of a form. */
export interface SettingsEdit<Fields> {
  fields: Fields;
  /** True if the fields differ from the stored value. */
  isChanged: boolean;
  /** True if another user has saved these fields since, so that this user must choose. */
  isBehind: boolean;
  change: (part: Partial<Fields>) => void;
  /** Stores the fields. A version conflict leads to the choice. */
  store: () => Promise<void>;
  /** Applies the unsaved edits to the newest stored fields. */
  keepMine: () => void;
  takeTheirs: () => void;
}

/**
 * Edit state of a settings form. Changes by others replace the fields only while there are no
 * unsaved edits. All settings of a project share one version (API reference §9.7), so a newer
 * version with the same fields is no conflict.
 */
export function useSettingsEdit<T, Fields extends object>(
  newest: Versioned<T>,
  { queryKey, fieldsOf, put }: Settings<T, Fields>,
): SettingsEdit<Fields> {
  const [base, setBase] = useState(newest);
  const [seen, setSeen] = useState(newest.version);
  const [fields, setFields] = useState(() => fieldsOf(newest.value));
  const before = fieldsOf(base.value);
  const isNewer = newest.version !== seen && newest.version !== base.version;
  const isOther = isNewer && areDifferent(before, fieldsOf(newest.value));
  const isChanged = areDifferent(before, fields);
  const isBehind = isOther && isChanged;
  const take = (next: Fields) => {
    setBase(newest);
    setSeen(newest.version);
    setFields(next);
  };
  if (isNewer && !isBehind) take(isOther ? fieldsOf(newest.value) : fields);
  const putAt = (version: string) =>
    versioned((onResponse) => put(fields, { ifMatch: version, onResponse }, base.value));
  return {
    fields,
    isChanged,
    isBehind,
    change: (part) => setFields((now) => ({ ...now, ...part })),
    store: async () => {
      const stored = await putAt(base.version).catch(async (error: unknown) => {
        if (!(error instanceof PostriderError) || error.status !== 412) throw error;
        await queryClient.refetchQueries({ queryKey, exact: true });
        const now = queryClient.getQueryData<Versioned<T>>(queryKey);
        if (!now || areDifferent(before, fieldsOf(now.value))) throw error;
        return putAt(now.version);
      });
      queryClient.setQueryData(queryKey, stored);
      setBase(stored);
      // keeps what was typed during the request
      setFields((now) => (now === fields ? fieldsOf(stored.value) : now));
    },
    keepMine: () => take({ ...fieldsOf(newest.value), ...changesOf(before, fields) }),
    takeTheirs: () => take(fieldsOf(newest.value)),
  };
}

/** Returns the fields that differ. */
const changesOf = <Fields extends object>(before: Fields, fields: Fields) => {
  const stored = new Map(Object.entries(before));
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored.get(name)),
    ),
  );
};

const areDifferent = <Fields extends object>(one: Fields, other: Fields): boolean =>
  Object.keys(changesOf(one, other)).length > 0;
