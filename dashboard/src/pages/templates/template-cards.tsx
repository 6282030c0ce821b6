import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { given } from "../../lib/search-params.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { classes } from "../../lib/class-names.ts";
import { Copy, Trash2 } from "../../ui/action-icons.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton, TextLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { RowButton } from "../../ui/row-button.tsx";
import { Pager } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { readable } from "./blocks/variables.ts";
import { MailThumb } from "./preview/mail-thumb.tsx";
import { templatesQuery, type Summary } from "./queries.ts";
import { useTemplatesText } from "./use-templates-text.ts";

const CARDS = 24;
const GRID = "grid gap-4 sm:grid-cols-2 lg:grid-cols-3";
const CARD =
  "relative flex overflow-hidden rounded-lg border border-line bg-surface hover:border-edge sm:flex-col";
const PICTURE =
  "w-24 shrink-0 border-r border-line sm:aspect-4/3 sm:w-full sm:border-r-0 sm:border-b";
const route = getRouteApi("/in/p/$projectId/templates");

interface TemplateCardsProps {
  projectId: string;
  templates: readonly Summary[];
  mayNot: string | undefined;
  onDelete: (template: Summary) => void;
}

/** Templates that match the search, paged in the browser: the service returns all at once. */
export function TemplateCards({ projectId, templates, mayNot, onDelete }: TemplateCardsProps) {
  const text = useTemplatesText();
  const shared = useSharedText();
  const { search = "", page } = route.useSearch();
  const navigate = route.useNavigate();
  const found = templates.filter(({ name, subject }) =>
    `${name} ${subject}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const pages = Math.max(1, Math.ceil(found.length / CARDS));
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
        <ul aria-label={text.templates} className={GRID}>
          {found.slice((at - 1) * CARDS, at * CARDS).map((template) => (
            <TemplateCard
              key={template.id}
              projectId={projectId}
              template={template}
              mayNot={mayNot}
              onDelete={onDelete}
            />
          ))}
        </ul>
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

interface TemplateCardProps {
  projectId: string;
  template: Summary;
  mayNot: string | undefined;
  onDelete: (template: Summary) => void;
}

/** A template with a small picture; all of the card opens it. */
function TemplateCard({ projectId, template, mayNot, onDelete }: TemplateCardProps) {
  const text = useTemplatesText();
  const shared = useSharedText();
  const { id, name, subject, public: isPublic, updated_at: at } = template;
  const duplicate = async () => {
    const copy = await api.projects.templates.duplicate({ projectId, templateId: id });
    showToast(text.duplicated(copy.name));
    await queryClient.invalidateQueries(templatesQuery(projectId));
  };
  const icon = { "aria-hidden": true, className: "size-4" } as const;
  return (
    <li className={CARD}>
      <MailThumb
        path={`/projects/${projectId}/templates/${id}`}
        version={at}
        title={name}
        className={PICTURE}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1 p-3">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <TextLink
            to="/p/$projectId/templates/$templateId"
            params={{ projectId, templateId: id }}
            className="after:absolute after:inset-0"
          >
            {name}
          </TextLink>
          {isPublic && <Badge tone="accent">{text.public}</Badge>}
        </p>
        <p className="line-clamp-2 text-sm">
          {readable(subject) || <span className="text-muted">{text.noSubject}</span>}
        </p>
        <p className="text-sm text-muted">
          {text.saved} <When at={at} />
        </p>
        <div className="relative z-10 -mx-2 mt-auto flex flex-wrap items-center">
          <LinkButton
            look="quiet"
            className="px-2!"
            to="/p/$projectId/broadcasts/new"
            params={{ projectId }}
            search={{ template_id: id }}
            aria-label={text.useInBroadcastNamed(name)}
          >
            {text.useInBroadcast}
          </LinkButton>
          <span className="flex-1" />
          <RowButton label={text.duplicateNamed(name)} offBecause={mayNot} work={duplicate}>
            <Copy {...icon} />
          </RowButton>
          <Button
            look="quiet"
            offBecause={mayNot}
            aria-label={text.deleteNamed(name)}
            title={shared.delete}
            onClick={() => onDelete(template)}
          >
            <Trash2 {...icon} />
          </Button>
        </div>
      </div>
    </li>
  );
}

/** Cards without content, in the places of those that load. */
export function CardsSkeleton() {
  const { loading } = useSharedText();
  return (
    <div data-skeleton role="status" aria-label={loading} className={GRID}>
      {Array.from({ length: 6 }, (_, card) => (
        <div key={card} className={CARD}>
          <span className={classes("block animate-pulse bg-sunken", PICTURE)} />
          <span className="h-36 flex-1 sm:flex-none" />
        </div>
      ))}
    </div>
  );
}
