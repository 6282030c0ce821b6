import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LayoutTemplate } from "../../ui/icons.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { KeyButton } from "../../ui/key-button.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { DeleteTemplate } from "./delete-template.tsx";
import { templatesQuery, type Summary } from "./queries.ts";
import { CardsSkeleton, TemplateCards } from "./template-cards.tsx";
import { useTemplatesText } from "./use-templates-text.ts";

const route = getRouteApi("/in/p/$projectId/templates");

/** Templates of a project. */
export function TemplatesPage() {
  const text = useTemplatesText();
  const { projectId } = route.useParams();
  const templates = useQuery(templatesQuery(projectId));
  const mayNot = useMayNot("templates:write");
  const navigate = route.useNavigate();
  const [deleting, setDeleting] = useState<Summary>();
  const create = (
    <KeyButton
      keys="n"
      label={text.newTemplate}
      look="primary"
      offBecause={mayNot}
      onClick={() => void navigate({ to: "/p/$projectId/templates/new", params: { projectId } })}
    />
  );
  return (
    <Page
      title={text.templates}
      lead={text.templatesLead}
      actions={templates.data?.length ? create : undefined}
    >
      {templates.isPending && <CardsSkeleton />}
      {templates.error && (
        <ErrorWords error={templates.error} onRetry={() => void templates.refetch()} />
      )}
      {templates.data?.length === 0 && (
        <EmptyState Icon={LayoutTemplate} title={text.noTemplates} action={create}>
          {text.noTemplatesWords}
        </EmptyState>
      )}
      {templates.data && templates.data.length > 0 && (
        <TemplateCards
          projectId={projectId}
          templates={templates.data}
          mayNot={mayNot}
          onDelete={setDeleting}
        />
      )}
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
