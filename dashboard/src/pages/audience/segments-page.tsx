import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { segmentsQuery, type Segment } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SegmentForm } from "./segment-form.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Saved conditions on people, for broadcasts. */
export function SegmentsPage() {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const [editing, setEditing] = useState<Segment | "new">();
  const [removing, setRemoving] = useState<Segment>();
  const segments = useQuery(segmentsQuery(projectId));
  const remove = useMutation({
    mutationFn: ({ id: segmentId }: Segment) =>
      api.projects.segments.delete({ projectId, segmentId }),
    onSuccess: async (_, { name }) => {
      setRemoving(undefined);
      showToast(text.deleted(name));
      await queryClient.invalidateQueries({ queryKey: segmentsQuery(projectId).queryKey });
    },
  });
  const rows = segments.data?.segments ?? [];
  return (
    <Page
      title={text.segments}
      lead={text.segmentsLead}
      actions={
        <>
          <LinkButton to="/p/$projectId/audience" params={{ projectId }}>
            {text.back}
          </LinkButton>
          <Button look="primary" offBecause={mayNot} onClick={() => setEditing("new")}>
            {text.newSegment}
          </Button>
        </>
      }
    >
      {segments.isPending && <Skeleton lines={4} />}
      {segments.error && (
        <ErrorWords error={segments.error} onRetry={() => void segments.refetch()} />
      )}
      {segments.data && rows.length === 0 && (
        <EmptyState title={text.noSegments}>{text.noSegmentsWords}</EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          label={text.segments}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { key: "name", head: text.name, cell: ({ name }) => name },
            { key: "where", head: text.where, cell: ({ where }) => <code>{where}</code> },
            {
              key: "acts",
              head: <span className="sr-only">{text.change}</span>,
              cell: (segment) => (
                <span className="flex gap-1">
                  <Button
                    look="quiet"
                    offBecause={mayNot}
                    aria-label={`${text.change}: ${segment.name}`}
                    onClick={() => setEditing(segment)}
                  >
                    {text.change}
                  </Button>
                  <Button
                    look="quiet"
                    offBecause={mayNot}
                    aria-label={`${shared.delete}: ${segment.name}`}
                    onClick={() => setRemoving(segment)}
                  >
                    {shared.delete}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      <Dialog
        isOpen={editing !== undefined}
        onClose={() => setEditing(undefined)}
        title={editing === "new" ? text.newSegment : text.change}
        isWide
      >
        <SegmentForm
          segment={editing === "new" ? undefined : editing}
          onDone={() => setEditing(undefined)}
        />
      </Dialog>
      <ConfirmDialog
        isOpen={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        onConfirm={() => removing && remove.mutate(removing)}
        title={text.deleteTitle(removing?.name ?? "")}
        action={shared.delete}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {text.deleteSegmentWords}
      </ConfirmDialog>
    </Page>
  );
}
