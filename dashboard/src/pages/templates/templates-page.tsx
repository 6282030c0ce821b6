import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LayoutTemplate } from "../../ui/icons.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { KeyButton } from "../../ui/key-button.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DeleteTemplate } from "./delete-template.tsx";
import { NewTemplate } from "./new-template.tsx";
import { builtInQuery, templatesQuery, type Summary } from "./queries.ts";
import { TemplateTable } from "./template-table.tsx";
import { useTemplatesText } from "./use-templates-text.ts";

const route = getRouteApi("/in/p/$projectId/templates");

/** Templates of a project, or the built-in ones to start from. */
export function TemplatesPage() {
  const text = useTemplatesText();
  const { projectId } = route.useParams();
  const templates = useQuery(templatesQuery(projectId));
  const mayNot = useMayNot("templates:write");
  const [start, setStart] = useState<string>();
  const [deleting, setDeleting] = useState<Summary>();
  const create = (
    <KeyButton
      keys="n"
      label={text.newTemplate}
      look="primary"
      offBecause={mayNot}
      onClick={() => setStart("blocks")}
    />
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
          <EmptyState Icon={LayoutTemplate} title={text.noTemplates} action={create}>
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

/** The built-in templates, for a project without any. */
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
