import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../../api/client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { useIsHere } from "../../../lib/use-is-here.ts";
import { LinkButton } from "../../../ui/button.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { Page } from "../../../ui/page.tsx";
import { BLOCK_ICONS } from "../block-editor/block-icons.tsx";
import { blockStart } from "../blocks/block-start.ts";
import { builtInQuery, templatesQuery } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { Gallery, type Choice } from "./gallery.tsx";
import { useGalleryText } from "./use-gallery-text.ts";
import { pictureOf, useLayouts } from "./use-layouts.ts";

const route = getRouteApi("/in/p/$projectId/templates/new");
const Columns = BLOCK_ICONS.columns;
const Html = BLOCK_ICONS.html;
const ICON = { "aria-hidden": true, className: "size-10" } as const;

/** What a new template can start with. A choice creates it, and opens it in the editor. */
export function NewTemplatePage() {
  const text = useTemplatesText();
  const words = useGalleryText();
  const { projectId } = route.useParams();
  const navigate = route.useNavigate();
  const isHere = useIsHere();
  const mayNot = useMayNot("templates:write");
  const layouts = useLayouts();
  const templates = useQuery(templatesQuery(projectId));
  const builtIn = useQuery(builtInQuery(projectId));
  const create = useMutation({
    mutationFn: async ({ name, make }: Choice) =>
      api.projects.templates.create({
        projectId,
        body: { ...(await make()), name: freeName(name, templates.data ?? []) },
      }),
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "templates"] });
      if (isHere())
        await navigate({
          to: "/p/$projectId/templates/$templateId",
          params: { projectId, templateId: id },
        });
    },
  });
  const plain: Choice[] = [
    {
      key: "blocks",
      name: text.startBlocks,
      detail: text.startBlocksWords,
      icon: <Columns {...ICON} />,
      make: async () => ({
        subject: text.starter.heading,
        preheader: "",
        html_body: await blockStart(text.starter, projectId),
        text_body: "",
      }),
    },
    {
      key: "code",
      name: text.startCode,
      detail: text.startCodeWords,
      icon: <Html {...ICON} />,
      make: () => ({ subject: "", preheader: "", html_body: "", text_body: "" }),
    },
  ];
  const forPrograms = builtIn.data?.templates.map(
    ({ name, subject, html_body, text_body }): Choice => ({
      key: `built-in-${name}`,
      name: text.builtInNames[name] ?? name,
      detail: text.builtInWords[name] ?? "",
      picture: pictureOf(`built-in-${name}`),
      make: () => ({ subject, preheader: "", html_body, text_body }),
    }),
  );
  const part = {
    offBecause: mayNot,
    busyKey: create.isPending ? create.variables.key : undefined,
    onChoose: (choice: Choice) => create.mutate(choice),
  };
  return (
    <Page
      title={text.newTemplate}
      lead={words.newLead}
      actions={
        <LinkButton to="/p/$projectId/templates" params={{ projectId }}>
          {text.templates}
        </LinkButton>
      }
    >
      {create.error && <ErrorWords error={create.error} />}
      <Gallery title={words.plain} choices={plain} {...part} />
      <Gallery title={words.layouts} hint={words.inBrand} choices={layouts} {...part} />
      {builtIn.error && <ErrorWords error={builtIn.error} onRetry={() => void builtIn.refetch()} />}
      {forPrograms && <Gallery title={words.builtIn} choices={forPrograms} {...part} />}
    </Page>
  );
}

/** Returns a name that no template has: with a number, if necessary. */
function freeName(name: string, templates: readonly { name: string }[]): string {
  const taken = new Set(templates.map((one) => one.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}
