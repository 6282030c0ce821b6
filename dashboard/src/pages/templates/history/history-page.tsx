import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api, PostriderError } from "../../../api/client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { formatExact } from "../../../lib/format.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ScrollText } from "../../../ui/icons.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { Page } from "../../../ui/page.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { MailFrame } from "../preview/mail-frame.tsx";
import { templateQuery, versionQuery, versionsQuery, withTag, type Tagged } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";

const DiffView = lazy(() => import("../code/diff-view.tsx"));

const route = getRouteApi("/in/p/$projectId/templates/$templateId/history");

const PARTS = ["html", "text", "mail"] as const;

export function HistoryPage() {
  const text = useTemplatesText();
  const { projectId, templateId } = route.useParams();
  const { version } = route.useSearch();
  const current = useQuery(templateQuery(projectId, templateId));
  const versions = useQuery(versionsQuery(projectId, templateId));
  const list = versions.data?.versions ?? [];
  const chosen = list.find(({ id }) => id === version) ?? list[0];
  const error = current.error ?? versions.error;
  if (error instanceof PostriderError && error.status === 404) throw error; // handled by the route's error page
  return (
    <Page
      title={text.historyTitle}
      lead={current.data?.template.name}
      actions={
        <LinkButton to="/p/$projectId/templates/$templateId" params={{ projectId, templateId }}>
          {text.backToEditor}
        </LinkButton>
      }
    >
      {error && (
        <ErrorWords
          error={error}
          onRetry={() => {
            void current.refetch();
            void versions.refetch();
          }}
        />
      )}
      {(versions.isPending || current.isPending) && <Skeleton lines={8} />}
      {versions.data && list.length === 0 && (
        <EmptyState Icon={ScrollText} title={text.noVersions}>
          {text.noVersionsWords}
        </EmptyState>
      )}
      {current.data && chosen && (
        <div className="grid min-w-0 gap-6 lg:grid-cols-[16rem_1fr]">
          <VersionList versions={list} chosenId={chosen.id} />
          <Comparison
            projectId={projectId}
            templateId={templateId}
            versionId={chosen.id}
            current={current.data}
          />
        </div>
      )}
    </Page>
  );
}

interface VersionListProps {
  versions: readonly { id: string; subject: string; saved_at: string }[];
  chosenId: string;
}

function VersionList({ versions, chosenId }: VersionListProps) {
  const text = useTemplatesText();
  const navigate = route.useNavigate();
  return (
    <nav aria-label={text.versions}>
      <ul className="flex max-h-[40rem] flex-col gap-1 overflow-y-auto">
        {versions.map(({ id, subject, saved_at: at }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === chosenId ? "true" : undefined}
              onClick={() => void navigate({ search: (now) => ({ ...now, version: id }) })}
              className="w-full rounded-md px-3 py-2 text-left text-sm hover:bg-sunken aria-[current=true]:bg-accent-soft"
            >
              <span className="block font-medium">
                <When at={at} />
              </span>
              <span className="block truncate text-muted">{subject || text.noSubject}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ComparisonProps {
  projectId: string;
  templateId: string;
  versionId: string;
  current: Tagged;
}

/** Compares a version with the current template, and restores it. */
function Comparison({ projectId, templateId, versionId, current }: ComparisonProps) {
  const text = useTemplatesText();
  const mayNot = useMayNot("templates:write");
  const navigate = route.useNavigate();
  const { part = "html" } = route.useSearch();
  const { data, error, refetch } = useQuery(versionQuery(projectId, templateId, versionId));
  const restore = useRestore(projectId, templateId);
  const { template } = current;
  if (error) return <ErrorWords error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={10} />;
  const views = {
    html: [data.html_body, template.html_body],
    text: [`${data.subject}\n\n${data.text_body}`, `${template.subject}\n\n${template.text_body}`],
  } as const;
  return (
    <section aria-label={text.compareVersions} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Segments
          label={text.compareVersions}
          choices={PARTS.map((one) => [one, text.parts[one]] as const)}
          chosen={part}
          onChoose={(one) => void navigate({ search: (now) => ({ ...now, part: one }) })}
        />
        <span className="flex-1" />
        <Button
          offBecause={mayNot}
          isBusy={restore.isPending}
          onClick={() => restore.mutate({ versionId, etag: current.etag })}
        >
          {text.restore}
        </Button>
      </div>
      {restore.error && <ErrorWords error={restore.error} />}
      <p className="text-sm text-muted">{text.versionOf(formatExact(data.saved_at))}</p>
      {part === "mail" ? (
        <div className="grid gap-4 xl:grid-cols-2">
          {[
            { name: text.before, html_body: data.html_body },
            { name: text.now, html_body: template.html_body },
          ].map(({ name, html_body }) => (
            <figure key={name} className="min-w-0">
              <figcaption className="mb-1 text-sm font-medium">{name}</figcaption>
              <MailFrame
                projectId={projectId}
                title={name}
                fields={{ html_body }}
                className="h-[36rem] rounded-lg border border-line"
              />
            </figure>
          ))}
        </div>
      ) : (
        <div className="max-h-[40rem] overflow-auto rounded-lg border border-line">
          {views[part][0] === views[part][1] && (
            <p className="border-b border-line px-3 py-2 text-sm text-muted">{text.sameText}</p>
          )}
          <Suspense fallback={<Skeleton lines={10} />}>
            <DiffView label={text.parts[part]} before={views[part][0]} after={views[part][1]} />
          </Suspense>
        </div>
      )}
    </section>
  );
}

function useRestore(projectId: string, templateId: string) {
  const text = useTemplatesText();
  const navigate = route.useNavigate();
  const query = templateQuery(projectId, templateId);
  return useMutation({
    mutationFn: ({ versionId, etag }: { versionId: string; etag: string }) =>
      withTag((onResponse) =>
        api.projects.templates.versions.restore(
          { projectId, templateId, versionId },
          { ifMatch: etag, onResponse },
        ),
      ),
    onSuccess: async (restored) => {
      queryClient.setQueryData(query.queryKey, restored);
      await queryClient.invalidateQueries(versionsQuery(projectId, templateId));
      showToast(text.restoredVersion);
    },
    // another user saved it meanwhile: the comparison shows that, and the next click is a new
    // decision
    onError: async (_, { versionId: version }) => {
      // the list then has a newer version, which must not be selected automatically
      await navigate({ search: (now) => ({ ...now, version }), replace: true });
      await queryClient.refetchQueries(query);
    },
  });
}
