import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useProject } from "../../api/projects.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { blockStart } from "../templates/blocks/block-start.ts";
import { useTemplatesText } from "../templates/use-templates-text.ts";
import { DraftPage } from "./draft-page.tsx";
import { newDraft } from "./new-draft.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const route = getRouteApi("/in/p/$projectId/broadcasts/new");

/** The first step of a new draft, which is stored when the step is done. Sends nothing. */
export function NewBroadcastPage() {
  const text = useBroadcastsText();
  const { starter } = useTemplatesText();
  const { id: projectId } = useProject();
  const html = useQuery({
    queryKey: ["project", projectId, "brand", "block-start", starter.heading],
    queryFn: () => blockStart(starter, projectId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page
      title={text.newBroadcast}
      lead={text.newLead}
      actions={
        <LinkButton to="/p/$projectId/broadcasts" params={{ projectId }}>
          {text.back}
        </LinkButton>
      }
    >
      <Loaded query={html}>{(start) => <NewDraft html={start} />}</Loaded>
    </Page>
  );
}

function NewDraft({ html }: { html: string }) {
  const { id: projectId } = useProject();
  const search = route.useSearch();
  const [draft] = useState(() => newDraft(projectId, search, html));
  return <DraftPage draft={draft} version="" step="mail" />;
}
