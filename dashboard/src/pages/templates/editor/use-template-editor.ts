import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { api, PostriderError } from "../../../api/client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { useMe } from "../../../api/session.ts";
import { templateQuery, versionsQuery, withTag, type Tagged } from "../queries.ts";
import { openDrafts, type Draft, type DraftKeeper } from "./drafts.ts";
import { areEqual, changesOf, fieldsOf, type Fields } from "./template-fields.ts";

/** The edited fields, and the service's version when editing started. */
interface Work {
  fields: Fields;
  base: Fields;
  etag: string;
  /** Increments when the fields are replaced from outside, so that the editors reload them. */
  generation: number;
}

const DRAFT_DELAY_MS = 250;

const workOf = ({ template, etag }: Tagged, generation: number): Work => {
  const fields = fieldsOf(template);
  return { fields, base: fields, etag, generation };
};

export type TemplateEditor = ReturnType<typeof useTemplateEditor>;

/**
 * Edits a template without losing anything: each change is kept in local storage until it is saved,
 * and a conflict with another user's change becomes a choice.
 */
export function useTemplateEditor(projectId: string, templateId: string) {
  const { user } = useMe();
  const query = templateQuery(projectId, templateId);
  const stored = useQuery(query);
  const [work, setWork] = useState<Work>();
  const [restored, setRestored] = useState<number>();
  const [isDraftKept, setDraftKept] = useState(true);
  const [hasKeeper, setHasKeeper] = useState(false);
  const keeper = useRef<DraftKeeper>(undefined);
  const left = useRef<Draft>(undefined);

  const isDirty = work !== undefined && !areEqual(work.fields, work.base);

  const keepDraft = useEffectEvent(() => {
    if (!work || !keeper.current) return;
    if (!isDirty) return keeper.current.drop();
    const { fields, base, etag } = work;
    setDraftKept(keeper.current.keep({ fields, base, etag, savedAt: Date.now() }));
  });
  useEffect(() => {
    const timer = setTimeout(() => keepDraft(), DRAFT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [work]);
  useEffect(() => {
    const keepNow = () => keepDraft();
    window.addEventListener("pagehide", keepNow);
    return () => {
      window.removeEventListener("pagehide", keepNow);
      keepNow();
    };
  }, []);

  useEffect(() => {
    const closing = new AbortController();
    const begin = async () => {
      const opened = await openDrafts(user.id, templateId, closing.signal);
      if (!opened) return;
      if (closing.signal.aborted) return opened.keeper.close();
      keeper.current = opened.keeper;
      left.current = opened.left;
      setHasKeeper(true);
    };
    void begin();
    return () => {
      closing.abort();
      keeper.current?.close();
      keeper.current = undefined;
    };
  }, [user.id, templateId]);

  /** Adopts the service's version if no edits would be lost. */
  const takeStored = useEffectEvent((newest: Tagged) => {
    if (!work) {
      const draft = left.current;
      left.current = undefined;
      if (!draft || areEqual(draft.fields, fieldsOf(newest.template))) {
        keeper.current?.drop();
        return setWork(workOf(newest, 0));
      }
      setRestored(draft.savedAt);
      return setWork({ ...draft, generation: 0 });
    }
    if (!isDirty && work.etag !== newest.etag) setWork(workOf(newest, work.generation + 1));
  });
  const { data } = stored;
  useEffect(() => {
    if (data && hasKeeper) takeStored(data);
  }, [data, hasKeeper]);

  const finish = (saved: Tagged, sent: Fields) => {
    queryClient.setQueryData(query.queryKey, saved);
    setRestored(undefined);
    setWork((now) => {
      const fields = fieldsOf(saved.template);
      if (!now) return workOf(saved, 0);
      // keeps what was typed during the request
      const typed = changesOf(now.fields, sent);
      return { ...now, fields: { ...fields, ...typed }, base: fields, etag: saved.etag };
    });
    void queryClient.invalidateQueries({ queryKey: ["project", projectId, "templates"] });
    void queryClient.invalidateQueries(versionsQuery(projectId, templateId));
  };
  const save = useMutation({
    mutationFn: ({ fields, base, etag }: Pick<Work, "fields" | "base" | "etag">) =>
      withTag((onResponse) =>
        api.projects.templates.update(
          { projectId, templateId, body: changesOf(fields, base) },
          { ifMatch: etag, onResponse },
        ),
      ),
    onSuccess: (saved, { fields }) => finish(saved, fields),
    onError: async (error) => {
      if (isConflict(error)) await queryClient.refetchQueries(query);
    },
  });

  const theirs = work && data && data.etag !== work.etag ? data : undefined;
  return {
    error: work ? undefined : stored.error,
    retry: () => void stored.refetch(),
    work,
    isDirty,
    isDraftKept,
    restored,
    /** The template as another user has saved it since editing started. */
    theirs: isDirty ? theirs : undefined,
    saving: save.isPending,
    saveError: save.error && !isConflict(save.error) ? save.error : null,
    change: (fields: Partial<Fields>) =>
      setWork((now) => now && { ...now, fields: { ...now.fields, ...fields } }),
    /** Replaces fields from outside of the editors, which then reload them. */
    replace: (fields: Partial<Fields>) =>
      setWork(
        (now) =>
          now && {
            ...now,
            fields: { ...now.fields, ...fields },
            generation: now.generation + 1,
          },
      ),
    save: () => {
      if (work && isDirty && !save.isPending && !theirs) save.mutate(work);
    },
    /** Saves these edits over the other user's, which remain as a version. */
    keepMine: () => {
      if (!work || !theirs) return;
      const base = fieldsOf(theirs.template);
      if (areEqual(work.fields, base)) setWork(workOf(theirs, work.generation));
      else save.mutate({ fields: work.fields, base, etag: theirs.etag });
    },
    /** Discards the edits for the service's version. Returns a function that restores them. */
    takeTheirs: () => {
      const before = work;
      if (!before || !data) return undefined;
      setRestored(undefined);
      setWork(workOf(data, before.generation + 1));
      return () => setWork((now) => ({ ...before, generation: (now ?? before).generation + 1 }));
    },
  };
}

const isConflict = (error: Error) => error instanceof PostriderError && error.status === 412;
