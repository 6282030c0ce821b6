import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { projectsOfWorkspaceQuery } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useWorkspace } from "../../api/session.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SHEET } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FolderOpen } from "../../ui/icons.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useMayNotIn } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useWorkspaceText } from "./use-workspace-text.ts";

const route = getRouteApi("/in/w/$workspaceId/");

export function ProjectsPage() {
  const text = useWorkspaceText();
  const { workspaceId } = route.useParams();
  const workspace = useWorkspace(workspaceId);
  const projects = useQuery(projectsOfWorkspaceQuery(workspaceId));
  const [isCreating, setCreating] = useState(false);
  const mayNot = useMayNotIn(workspaceId, "projects:write");
  const create = (
    <Button look="primary" offBecause={mayNot} onClick={() => setCreating(true)}>
      {text.newProject}
    </Button>
  );
  return (
    <Page
      title={text.projectsTitle}
      lead={workspace && text.projectsLead(workspace.name)}
      actions={projects.data?.length ? create : undefined}
    >
      {projects.isPending && <Skeleton />}
      {projects.error && (
        <ErrorWords error={projects.error} onRetry={() => void projects.refetch()} />
      )}
      {projects.data?.length === 0 && (
        <EmptyState Icon={FolderOpen} title={text.noProjects} action={create}>
          {text.noProjectsWords}
        </EmptyState>
      )}
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {projects.data?.map(({ id, name, description, smtp_host }) => (
          <li key={id}>
            <Link
              to="/p/$projectId"
              params={{ projectId: id }}
              className={`${SHEET} block h-full p-4 hover:border-edge`}
            >
              <span className="block font-semibold">{name}</span>
              {description && <span className="block text-sm text-muted">{description}</span>}
              <span className="mt-2 block text-sm text-muted">
                {smtp_host ? text.sends(smtp_host) : text.sendsNothing}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Dialog isOpen={isCreating} onClose={() => setCreating(false)} title={text.newProject}>
        <NewProject workspaceId={workspaceId} />
      </Dialog>
    </Page>
  );
}

function NewProject({ workspaceId }: { workspaceId: string }) {
  const text = useWorkspaceText();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => api.projects.create({ body: { name, workspace_id: workspaceId } }),
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId] });
      if (isHere()) await navigate({ to: "/p/$projectId/start", params: { projectId: id } });
    },
  });
  return (
    <Form of={create} onSubmit={() => create.mutate()} action={text.create} isWide>
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={name}
        onChange={(event) => setName(event.target.value)}
        required
        autoFocus
      />
    </Form>
  );
}
