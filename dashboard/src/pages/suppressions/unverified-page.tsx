import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Client } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { Address } from "../../ui/address.tsx";
import { Button, LinkButton, TextLink } from "../../ui/button.tsx";
import { chooseColumn, without } from "../../ui/choose-column.tsx";
import { EmptiedPage, EmptyState } from "../../ui/empty-state.tsx";
import { CircleCheck } from "../../ui/icons.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { useSuppressionsText } from "./use-suppressions-text.ts";

type Report = Awaited<
  ReturnType<Client["projects"]["bounces"]["unverified"]["list"]>
>["reports"][number];

const ROWS = 50;
const route = getRouteApi("/in/p/$projectId/suppressions/unverified");

/** Unverified bounce reports, for manual review. */
export function UnverifiedPage() {
  const text = useSuppressionsText();
  const { id: projectId } = useProject();
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayNot = useMayNot("suppressions:write");
  const list = useQuery({
    queryKey: ["project", projectId, "unverified", after],
    queryFn: ({ signal }) =>
      api.projects.bounces.unverified.list(
        // an empty cursor requests the first page with a cursor for the next
        { projectId, limit: ROWS, after: after ?? "" },
        { signal },
      ),
  });
  const suppress = useMutation({
    mutationFn: (emails: string[]) =>
      api.projects.bounces.unverified.suppress({ projectId, body: { emails } }),
    onSuccess: async ({ suppressed }, emails) => {
      showToast(text.suppressed(suppressed));
      setChosen((now) => without(now, emails));
      await queryClient.invalidateQueries({ queryKey: ["project", projectId] });
    },
  });
  const rows = list.data?.reports ?? [];
  const go = (next?: string) =>
    void navigate({ search: next === undefined ? {} : { after: next } });
  return (
    <Page
      title={text.unverified}
      lead={text.unverifiedLead}
      actions={
        <LinkButton to="/p/$projectId/suppressions" params={{ projectId }}>
          {text.back}
        </LinkButton>
      }
    >
      {list.isPending && <Skeleton lines={6} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && after !== undefined && (
        <EmptiedPage onFirst={() => go()} />
      )}
      {list.data && rows.length === 0 && after === undefined && (
        <EmptyState Icon={CircleCheck} title={text.noUnverified}>
          {text.noUnverifiedWords}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <Table
            label={text.unverified}
            columns={[
              chooseColumn<Report>({
                head: text.chosen,
                labelOf: ({ email }) => text.choose(email),
                keyOf: ({ email }) => email,
                chosen,
                onChoose: setChosen,
              }),
              ...columnsOf(text, projectId),
            ]}
            rows={rows}
            keyOf={({ email }) => email}
          />
          {suppress.error && <ErrorWords error={suppress.error} />}
          <div>
            <Button
              look="danger"
              isBusy={suppress.isPending}
              offBecause={mayNot ?? (chosen.size === 0 ? text.chooseOne : undefined)}
              onClick={() => suppress.mutate([...chosen])}
            >
              {text.suppress(chosen.size)}
            </Button>
          </div>
          <Pager
            after={after}
            next={list.error ? null : list.data?.next}
            total={list.data?.total}
            onGo={go}
          />
        </>
      )}
    </Page>
  );
}

function columnsOf(
  text: ReturnType<typeof useSuppressionsText>,
  projectId: string,
): Column<Report>[] {
  return [
    {
      key: "email",
      head: text.email,
      cell: ({ email, log_id }) => (
        <>
          <Address>{email}</Address>
          {log_id && (
            <TextLink
              className="ml-2"
              to="/p/$projectId/log/$logId"
              params={{ projectId, logId: log_id }}
            >
              {text.toMail}
            </TextLink>
          )}
        </>
      ),
    },
    {
      key: "kind",
      head: text.reason,
      cell: ({ kind, reason }) => `${text.kinds[kind]}: ${reason}`,
    },
    {
      key: "words",
      head: text.words,
      isMinor: true,
      cell: ({ diagnostic }) => <span className="break-words">{diagnostic}</span>,
    },
    { key: "reports", head: text.reports, isNumber: true, cell: ({ reports }) => reports },
    {
      key: "newest",
      head: text.newest,
      isMinor: true,
      cell: ({ last_seen_at }) => <When at={last_seen_at} />,
    },
  ];
}
