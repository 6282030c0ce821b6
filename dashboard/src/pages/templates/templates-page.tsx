import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, TextLink } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { NewTemplate } from "./new-template.tsx";
import { builtInQuery, templatesQuery, type Template } from "./queries.ts";
import { useTemplatesText } from "./use-templates-text.ts";

type Summary = Pick<Template, "id" | "name" | "subject" | "public" | "updated_at">;

const route = getRouteApi("/in/p/$projectId/templates");

export function TemplatesPage() {
  const text = useTemplatesText();
  const { projectId } = route.useParams();
  const templates = useQuery(templatesQuery(projectId));
  const mayNot = useMayNot("templates:write");
  const [start, setStart] = useState<string>();
  const [deleting, setDeleting] = useState<Summary>();
  const open = () => setStart("blocks");
  useShortcut("n", text.newTemplate, () => {
    if (mayNot === undefined) open();
  });
  const create = (
    <Button look="primary" offBecause={mayNot} onClick={open}>
      {text.newTemplate}
    </Button>
  );
  return (
    <Page
      title={text.templates}
      lead={text.templatesLead}
      actions={templates.data?.length ? create : undefined}
    >
      {templates.isPending && <Skeleton lines={6} />}
      {templates.error && (
        <ErrorWords error={templates.error} onRetry={() => void templates.refetch()} />
      )}
      {templates.data?.length === 0 && (
        <>
          <EmptyState title={text.noTemplates} action={create}>
            {text.noTemplatesWords}
          </EmptyState>
          <BuiltIn projectId={projectId} mayNot={mayNot} onChoose={setStart} />
        </>
      )}
      {templates.data && templates.data.length > 0 && (
        <TemplateTable
          projectId={projectId}
          templates={templates.data}
          mayNot={mayNot}
          onDelete={setDeleting}
        />
      )}
      <Dialog
        isOpen={start !== undefined}
        onClose={() => setStart(undefined)}
        title={text.newTemplate}
      >
        <NewTemplate projectId={projectId} {...(start === undefined ? {} : { start })} />
      </Dialog>
      {deleting && (
        <DeleteTemplate
          projectId={projectId}
          template={deleting}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Page>
  );
}

interface BuiltInProps {
  projectId: string;
  mayNot: string | undefined;
  onChoose: (name: string) => void;
}

/** Offers the built-in templates to somebody who has none yet. */
function BuiltIn({ projectId, mayNot, onChoose }: BuiltInProps) {
  const text = useTemplatesText();
  const { data, error, refetch } = useQuery(builtInQuery(projectId));
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{text.builtIn}</h2>
      {error && <ErrorWords error={error} onRetry={() => void refetch()} />}
      <ul className="grid gap-3 sm:grid-cols-2">
        {data?.templates.map(({ name }) => (
          <li
            key={name}
            className="flex items-center justify-between gap-3 rounded-lg border border-line bg-surface p-4"
          >
            <span>
              <span className="block font-medium">{text.builtInNames[name] ?? name}</span>
              <span className="block text-sm text-muted">{text.builtInWords[name]}</span>
            </span>
            <Button
              offBecause={mayNot}
              onClick={() => onChoose(name)}
              aria-label={text.useBuiltIn(text.builtInNames[name] ?? name)}
            >
              {text.use}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TemplateTableProps {
  projectId: string;
  templates: readonly Summary[];
  mayNot: string | undefined;
  onDelete: (template: Summary) => void;
}

function TemplateTable({ projectId, templates, mayNot, onDelete }: TemplateTableProps) {
  const text = useTemplatesText();
  const shared = useSharedText();
  const duplicate = useMutation({
    mutationFn: (templateId: string) => api.projects.templates.duplicate({ projectId, templateId }),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries(templatesQuery(projectId));
      showToast(text.duplicated(name));
    },
  });
  return (
    <>
      {duplicate.error && <ErrorWords error={duplicate.error} />}
      <Table
        label={text.templates}
        rows={templates}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "name",
            head: text.name,
            cell: ({ id, name, public: isPublic }) => (
              <span className="flex flex-wrap items-center gap-2">
                <TextLink
                  to="/p/$projectId/templates/$templateId"
                  params={{ projectId, templateId: id }}
                >
                  {name}
                </TextLink>
                {isPublic && <Badge tone="accent">{text.public}</Badge>}
              </span>
            ),
          },
          {
            key: "subject",
            head: text.subject,
            isMinor: true,
            cell: ({ subject }) => subject || <span className="text-muted">{text.noSubject}</span>,
          },
          { key: "saved", head: text.saved, cell: ({ updated_at: at }) => <When at={at} /> },
          {
            key: "actions",
            head: <span className="sr-only">{text.actions}</span>,
            cell: (template) => (
              <span className="flex justify-end gap-2">
                <Button
                  look="quiet"
                  offBecause={mayNot}
                  isBusy={duplicate.isPending && duplicate.variables === template.id}
                  aria-label={text.duplicateNamed(template.name)}
                  onClick={() => duplicate.mutate(template.id)}
                >
                  {text.duplicate}
                </Button>
                <Button
                  look="quiet"
                  offBecause={mayNot}
                  aria-label={text.deleteNamed(template.name)}
                  onClick={() => onDelete(template)}
                >
                  {shared.delete}
                </Button>
              </span>
            ),
          },
        ]}
      />
    </>
  );
}

interface DeleteTemplateProps {
  projectId: string;
  template: Summary;
  onClose: () => void;
}

function DeleteTemplate({ projectId, template: { id, name }, onClose }: DeleteTemplateProps) {
  const text = useTemplatesText();
  const remove = useMutation({
    mutationFn: () => api.projects.templates.delete({ projectId, templateId: id }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(templatesQuery(projectId));
      showToast(text.deleted(name));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      title={text.deleteNamed(name)}
      action={text.deleteTemplate}
      name={name}
      isBusy={remove.isPending}
      error={remove.error}
    >
      {text.deleteWords}
    </ConfirmDialog>
  );
}
