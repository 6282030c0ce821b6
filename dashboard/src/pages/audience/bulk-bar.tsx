import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { CheckField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { BulkTags } from "./bulk-tags.tsx";
import type { Filters } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

interface BulkBarProps {
  filters: Filters;
  chosen: ReadonlySet<string>;
  onDone: () => void;
}

type Change =
  | { action: "set_status"; status: "active" | "unsubscribed" }
  | { action: "add_tags" | "remove_tags"; tags: string[] }
  | { action: "delete" };

/** Changes the chosen people at once, or all whom the filters of the page let through. */
export function BulkBar({ filters, chosen, onDone }: BulkBarProps) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const [asked, setAsked] = useState<Exclude<Change, { tags: string[] }> | "tags">();
  const [isAll, setAll] = useState(false);
  const isFiltered = Object.values(filters).some(Boolean);
  const who = isAll
    ? { filter: isFiltered ? filters : { all: true as const } }
    : { ids: [...chosen] };
  const change = useMutation({
    mutationFn: async (what: Change) => {
      // one call changes up to 1,000 people
      for (let sum = 0; ;) {
        const body = { ...what, ...who };
        const { changed, more } = await api.projects.subscribers.changeMany({ projectId, body });
        sum += changed;
        if (!more) return sum;
      }
    },
    onSuccess: (changed) => {
      setAsked(undefined);
      setAll(false);
      onDone();
      showToast(text.changed(changed));
    },
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: ["project", projectId, "subscribers"] }),
  });
  const setStatus = (status: "active" | "unsubscribed") => {
    const what = { action: "set_status" as const, status };
    if (isAll) setAsked(what);
    else change.mutate(what);
  };
  const noOne = !isAll && chosen.size === 0 ? text.chooseFirst : undefined;
  const button = { isBusy: change.isPending, offBecause: mayNot ?? noOne };
  const people = isAll ? text.allOf(isFiltered) : text.chosen(chosen.size);
  const wordOf = (what: Exclude<Change, { tags: string[] }>) =>
    what.action === "delete"
      ? shared.delete
      : what.status === "active"
        ? text.activate
        : text.unsubscribe;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm" role="status">
        {people}
      </span>
      <CheckField
        label={isFiltered ? text.chooseMatching : text.chooseEverybody}
        checked={isAll}
        onChange={({ target }) => setAll(target.checked)}
      />
      <Button {...button} onClick={() => setAsked("tags")}>
        {text.tags}
      </Button>
      <Button {...button} onClick={() => setStatus("unsubscribed")}>
        {text.unsubscribe}
      </Button>
      <Button {...button} onClick={() => setStatus("active")}>
        {text.activate}
      </Button>
      <Button {...button} look="danger" onClick={() => setAsked({ action: "delete" })}>
        {shared.delete}
      </Button>
      {change.error && !asked && <ErrorWords error={change.error} />}
      <Dialog isOpen={asked === "tags"} onClose={() => setAsked(undefined)} title={text.tags}>
        <BulkTags
          people={people}
          isBusy={change.isPending}
          error={change.error}
          onChange={change.mutate}
        />
      </Dialog>
      {asked !== undefined && asked !== "tags" && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsked(undefined)}
          onConfirm={() => change.mutate(asked)}
          title={`${wordOf(asked)}: ${people}`}
          action={wordOf(asked)}
          {...(isAll ? { name: people } : {})}
          isBusy={change.isPending}
          error={change.error}
        >
          {asked.action === "delete" && text.deleteWords} {shared.cannotBeUndone}
        </ConfirmDialog>
      )}
    </div>
  );
}
