import { useState, type ReactNode } from "react";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { CheckField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { BulkTags } from "./bulk-tags.tsx";
import { BulkTopics } from "./bulk-topics.tsx";
import type { Filters, Subscriber } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";
import { useBulkChange, type BulkChange, type Who } from "./use-bulk-change.ts";
import { useUndoStatus } from "./use-undo-status.ts";

interface BulkBarProps {
  filters: Filters;
  /** The subscribers on this page. */
  rows: readonly Subscriber[];
  chosen: ReadonlySet<string>;
  /** The number of people in the list; undefined while it is unknown. */
  total: number | undefined;
  /** Deselects subscribers, except those selected meanwhile. */
  onDone: (ids: readonly string[]) => void;
  /** What stands at the end of the line. */
  children: ReactNode;
}

/** A change that needs only a confirmation. */
type Plain = Extract<BulkChange, { action: "set_status" | "delete" }>;

/** Changes the selected subscribers, or all that match the page's filters, at once. */
export function BulkBar({ filters, rows, chosen, total, onDone, children }: BulkBarProps) {
  const text = useAudienceText();
  const shared = useSharedText();
  const mayNot = useMayNot("subscribers:write");
  const [asked, setAsked] = useState<Plain | "tags" | "topics">();
  const [isAll, setAll] = useState(false);
  const isFiltered = Object.values(filters).some(Boolean);
  const who: Who = isAll ? { filter: isFiltered ? filters : { all: true } } : { ids: [...chosen] };
  const undoOf = useUndoStatus(rows);
  const bulk = useBulkChange(
    ({ who: { ids } }) => {
      setAsked(undefined);
      if (ids) onDone(ids);
      else setAll(false);
    },
    ({ what, who: { ids } }) =>
      "status" in what && ids ? undoOf(new Set(ids), what.status) : undefined,
  );
  const change = (what: BulkChange, signal?: AbortSignal) => bulk.mutate({ what, who, signal });
  const setStatus = (status: "active" | "unsubscribed") => {
    const what = { action: "set_status" as const, status };
    if (isAll) setAsked(what);
    else change(what);
  };
  const isAny = isAll || chosen.size > 0;
  const button = { isBusy: bulk.isPending, offBecause: mayNot };
  const people = isAll ? text.allOf(isFiltered) : text.chosen(chosen.size);
  const wordOf = (what: Plain) =>
    what.action === "delete"
      ? shared.delete
      : what.status === "active"
        ? text.activate
        : text.unsubscribe;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <CheckField
        label={isFiltered ? text.chooseMatching : text.chooseEverybody}
        checked={isAll}
        onChange={({ target }) => setAll(target.checked)}
      />
      <span className="text-sm text-muted" role="status">
        {isAny ? people : total !== undefined && text.total(total)}
      </span>
      {isAny && (
        <>
          <Button {...button} onClick={() => setAsked("tags")}>
            {text.tags}
          </Button>
          <Button {...button} onClick={() => setAsked("topics")}>
            {text.topics}
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
        </>
      )}
      <div className="ms-auto">{children}</div>
      {bulk.error && !asked && <ErrorWords error={bulk.error} />}
      <Dialog isOpen={asked === "tags"} onClose={() => setAsked(undefined)} title={text.tags}>
        <BulkTags people={people} isBusy={bulk.isPending} error={bulk.error} onChange={change} />
      </Dialog>
      <Dialog isOpen={asked === "topics"} onClose={() => setAsked(undefined)} title={text.topics}>
        <BulkTopics people={people} isBusy={bulk.isPending} error={bulk.error} onChange={change} />
      </Dialog>
      {typeof asked === "object" && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsked(undefined)}
          onConfirm={(signal) => change(asked, signal)}
          title={`${wordOf(asked)}: ${people}`}
          action={wordOf(asked)}
          {...(isAll || asked.action === "delete" ? { name: people } : {})}
          isBusy={bulk.isPending}
          error={bulk.error}
        >
          {asked.action === "delete" && `${text.deleteWords} ${shared.cannotBeUndone}`}
          {asked.action === "set_status" && text.statusWords}
        </ConfirmDialog>
      )}
    </div>
  );
}
