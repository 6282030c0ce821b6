import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { given } from "../../lib/search-params.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton, TextLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { RowButton } from "../../ui/row-button.tsx";
import { Pager, Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { templatesQuery, type Summary } from "./queries.ts";
import { useTemplatesText } from "./use-templates-text.ts";

const ROWS = 25;
const route = getRouteApi("/in/p/$projectId/templates");

interface TemplateTableProps {
  projectId: string;
  templates: readonly Summary[];
  mayNot: string | undefined;
  onDelete: (template: Summary) => void;
}

/** Templates that match the search, paged in the browser: the service returns all at once. */
export function TemplateTable({ projectId, templates, mayNot, onDelete }: TemplateTableProps) {
  const text = useTemplatesText();
  const shared = useSharedText();
  const duplicate = async (templateId: string) => {
    const { name } = await api.projects.templates.duplicate({ projectId, templateId });
    showToast(text.duplicated(name));
    await queryClient.invalidateQueries(templatesQuery(projectId));
  };
  const { search = "", page } = route.useSearch();
  const navigate = route.useNavigate();
  const found = templates.filter(({ name, subject }) =>
    `${name} ${subject}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const pages = Math.max(1, Math.ceil(found.length / ROWS));
  const at = Math.min(pages, Math.max(1, Math.floor(Number(page)) || 1));
  // the URL updates with a delay, and an input bound to it would lose the cursor position
  const [typed, setTyped] = useState(search);
  const [asked, setAsked] = useState<string>();
  if (asked === search) setAsked(undefined);
  else if (asked === undefined && typed !== search) setTyped(search);
  const find = (text: string) => {
    setTyped(text);
    setAsked(text);
    void navigate({
      search: given({ search: text === "" ? undefined : text }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <>
      <TextField
        type="search"
        label={text.findTemplate}
        className="max-w-sm"
        value={typed}
        onChange={({ target }) => find(target.value)}
      />
      {found.length === 0 && (
        <EmptyState
          title={text.noMatch}
          action={<Button onClick={() => find("")}>{shared.clear}</Button>}
        >
          {text.noMatchWords(search)}
        </EmptyState>
      )}
      {found.length > 0 && (
        <Table
          label={text.templates}
          rows={found.slice((at - 1) * ROWS, at * ROWS)}
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
              cell: ({ subject }) =>
                subject || <span className="text-muted">{text.noSubject}</span>,
            },
            {
              key: "saved",
              head: text.saved,
              isMinor: true,
              cell: ({ updated_at: at }) => <When at={at} />,
            },
            {
              key: "actions",
              head: <span className="sr-only">{text.actions}</span>,
              cell: (template) => (
                <div className="flex flex-wrap justify-end gap-2">
                  <LinkButton
                    look="quiet"
                    to="/p/$projectId/broadcasts/new"
                    params={{ projectId }}
                    search={{ template_id: template.id }}
                    aria-label={text.useInBroadcastNamed(template.name)}
                  >
                    {text.useInBroadcast}
                  </LinkButton>
                  <RowButton
                    label={text.duplicateNamed(template.name)}
                    offBecause={mayNot}
                    work={() => duplicate(template.id)}
                  >
                    {text.duplicate}
                  </RowButton>
                  <Button
                    look="quiet"
                    offBecause={mayNot}
                    aria-label={text.deleteNamed(template.name)}
                    onClick={() => onDelete(template)}
                  >
                    {shared.delete}
                  </Button>
                </div>
              ),
            },
          ]}
        />
      )}
      <Pager
        after={at > 1 ? String(at) : undefined}
        next={at < pages ? String(at + 1) : null}
        total={found.length > 0 ? found.length : undefined}
        onGo={(next) => void navigate({ search: (now) => given({ ...now, page: next }) })}
      />
    </>
  );
}
