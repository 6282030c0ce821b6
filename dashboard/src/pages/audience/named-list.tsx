import {
  useMutation,
  useQuery,
  type QueryFunction,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Versioned } from "../../api/versioned.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Users } from "../../ui/icons.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

interface Named {
  id: string;
  name: string;
}

interface NamedListProps<Row extends One, One extends Named> {
  title: string;
  lead: string;
  query: UseQueryResult<readonly Row[]>;
  queryKey: readonly unknown[];
  /** Columns next to the name. */
  columns: Column<Row>[];
  words: { create: string; none: string; noneWords: string; removal: string };
  remove: (row: Row, signal: AbortSignal) => Promise<unknown>;
  /** Additional buttons of a row. */
  acts?: (row: Row) => ReactNode;
  /** Query of a row with its version. */
  one: (id: string) => { queryKey: string[]; queryFn?: QueryFunction<Versioned<One>, string[]> };
  /** True for a form that needs a wide dialog. */
  isWide?: boolean;
  /** Edit form of a row, or of a new one. */
  form: (stored: Versioned<One> | undefined, onDone: () => void) => ReactNode;
}

/** Placeholder id of a new row. */
const NEW = "new";

/** A page with a short list of named items that can be edited and deleted. */
export function NamedList<Row extends One, One extends Named = Row>(
  props: NamedListProps<Row, One>,
) {
  const { title, lead, query, queryKey, columns, words, form } = props;
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const [editing, setEditing] = useState<string>();
  const isNew = editing === NEW;
  const stored = useQuery({
    ...props.one(editing ?? NEW),
    enabled: editing !== undefined && !isNew,
  });
  const close = () => setEditing(undefined);
  const [removing, setRemoving] = useState<Row>();
  const remove = useMutation({
    mutationFn: ({ row, signal }: { row: Row; signal: AbortSignal }) => props.remove(row, signal),
    onSuccess: (_, { row: { name } }) => {
      setRemoving(undefined);
      showToast(text.deleted(name));
      void queryClient.invalidateQueries({ queryKey }); // not awaited, so that the next dialog does not wait for the list
    },
  });
  const acts: Column<Row> = {
    key: "acts",
    head: <span className="sr-only">{text.change}</span>,
    cell: (row) => (
      <span className="flex flex-wrap gap-1">
        {props.acts?.(row)}
        <Button
          look="quiet"
          offBecause={mayNot}
          aria-label={`${text.change}: ${row.name}`}
          onClick={() => setEditing(row.id)}
        >
          {text.change}
        </Button>
        <Button
          look="quiet"
          offBecause={mayNot}
          aria-label={`${shared.delete}: ${row.name}`}
          onClick={() => setRemoving(row)}
        >
          {shared.delete}
        </Button>
      </span>
    ),
  };
  const name: Column<Row> = {
    key: "name",
    head: text.name,
    cell: (row) => <span className="font-semibold">{row.name}</span>,
  };
  const create = (
    <Button look="primary" offBecause={mayNot} onClick={() => setEditing(NEW)}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <>
          <LinkButton to="/p/$projectId/audience" params={{ projectId }}>
            {text.back}
          </LinkButton>
          {query.data?.length ? create : undefined}
        </>
      }
    >
      <RoleNotice capability="subscribers:write" />
      <Loaded query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState Icon={Users} title={words.none} action={create}>
              {words.noneWords}
            </EmptyState>
          ) : (
            <Table
              label={title}
              rows={rows}
              keyOf={({ id }) => id}
              columns={[name, ...columns, acts]}
            />
          )
        }
      </Loaded>
      <Dialog
        isOpen={editing !== undefined}
        onClose={close}
        title={isNew ? words.create : text.change}
        isWide={props.isWide ?? false}
      >
        {isNew ? (
          form(undefined, close)
        ) : (
          <Loaded query={stored}>{(row) => form(row, close)}</Loaded>
        )}
      </Dialog>
      <ConfirmDialog
        isOpen={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        onConfirm={(signal) => removing && remove.mutate({ row: removing, signal })}
        title={text.deleteTitle(removing?.name ?? "")}
        action={shared.delete}
        name={removing?.name ?? ""}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {words.removal}
      </ConfirmDialog>
    </Page>
  );
}
