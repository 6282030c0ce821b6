import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Api } from "../../api/client.ts";
import { allProjectsQuery } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatPrecise } from "../../lib/format.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptiedPage } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { useAccountText } from "./use-account-text.ts";

type Letter = Api.DeadLetter;

const route = getRouteApi("/in/account/service");

const ROWS = 50;

/** Operator-only settings: the sender of service email, and dead letters to replay. */
export function ServicePage() {
  const text = useAccountText();
  const mail = useQuery({
    queryKey: ["service", "mail"],
    queryFn: ({ signal }) => api.service.mail.get({}, { signal }),
  });
  return (
    <Page
      shape="groups"
      title={text.service}
      lead={text.serviceLead}
      actions={<LinkButton to="/account">{text.title}</LinkButton>}
    >
      <Loaded query={mail}>
        {({ project_id, ready }) => (
          <>
            <ServiceMail projectId={project_id} isReady={ready} />
            <DeadLetters />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/**
 * Selects the project that sends service email. Saved by a button, because arrow keys change a
 * select on each press, and pending mail goes out through the saved project.
 */
function ServiceMail({ projectId, isReady }: { projectId: string | null; isReady: boolean }) {
  const text = useAccountText();
  const shared = useSharedText();
  const [chosen, setChosen] = useState<string>();
  const stored = projectId ?? "";
  const shown = chosen ?? stored;
  const projects = useQuery(allProjectsQuery);
  const choose = useMutation({
    mutationFn: (project_id: string) =>
      api.service.mail.choose({ body: project_id === "" ? {} : { project_id } }),
    onSuccess: (saved, sent) => {
      queryClient.setQueryData(["service", "mail"], saved);
      setChosen((now) => (now === sent ? undefined : now));
      showToast(text.senderSaved);
    },
  });
  return (
    <Card title={text.serviceMail}>
      <Loaded query={projects}>
        {(known) => (
          <form
            className="flex max-w-xl flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              choose.mutate(shown);
            }}
          >
            <p className="text-muted">{text.serviceMailWords}</p>
            {projectId !== null && !isReady && <Notice tone="warn">{text.senderNotReady}</Notice>}
            <SelectField
              label={text.sender}
              value={shown}
              onChange={({ target }) => setChosen(target.value)}
            >
              <option value="">{text.noSender}</option>
              {projectId !== null && !known.some(({ id }) => id === projectId) && (
                <option value={projectId}>{projectId}</option>
              )}
              {known.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            {choose.error && <ErrorWords error={choose.error} />}
            {shown !== stored && (
              <div>
                <Button type="submit" look="primary" isBusy={choose.isPending}>
                  {shared.save}
                </Button>
              </div>
            )}
          </form>
        )}
      </Loaded>
    </Card>
  );
}

function DeadLetters() {
  const text = useAccountText();
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const key = ["service", "dead-letters"];
  const letters = useQuery({
    queryKey: [...key, after],
    queryFn: ({ signal }) =>
      // an empty cursor requests the first page with a cursor for the next
      api.service.deadLetters.list({ limit: ROWS, after: after ?? "" }, { signal }),
  });
  const go = (next?: string) =>
    void navigate({ search: next === undefined ? {} : { after: next }, resetScroll: false });
  const replay = useMutation({
    mutationFn: ({ id: letterId }: Letter) => api.service.deadLetters.replay({ letterId }),
    onSuccess: () => {
      showToast(text.replayed);
      return queryClient.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <Card title={text.deadLetters}>
      <p className="mb-3 text-muted">{text.deadLettersWords}</p>
      {replay.error && <ErrorWords error={replay.error} />}
      <Loaded query={letters}>
        {({ dead_letters: rows, waiting, total, next }) =>
          rows.length === 0 && after !== undefined ? (
            <EmptiedPage onFirst={() => go()} />
          ) : rows.length === 0 ? (
            <p>{text.noDeadLetters}</p>
          ) : (
            <>
              <Table
                label={text.deadLetters}
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { key: "at", head: text.failedAt, cell: ({ failed_at: at }) => <When at={at} /> },
                  { key: "type", head: text.message, cell: ({ type, queue }) => type || queue },
                  {
                    key: "preview",
                    head: text.content,
                    isMinor: true,
                    cell: ({ preview }) => <span className="break-all">{preview}</span>,
                  },
                  {
                    key: "replay",
                    head: <span className="sr-only">{text.replay}</span>,
                    cell: (letter) =>
                      letter.replayed_at === null ? (
                        <Button
                          aria-label={`${text.replay}: ${letter.type || letter.queue}, ${formatPrecise(letter.failed_at)}`}
                          isBusy={replay.isPending}
                          onClick={() => replay.mutate(letter)}
                        >
                          {text.replay}
                        </Button>
                      ) : (
                        <When at={letter.replayed_at} />
                      ),
                  },
                ]}
              />
              <p className="my-2 text-sm text-muted">{text.waiting(waiting)}</p>
              <Pager after={after} next={next} total={total} onGo={go} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
