import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { projectsOfWorkspaceQuery } from "../api/projects.ts";
import { useMe } from "../api/session.ts";
import { Menu } from "../ui/menu.tsx";
import { useAppText } from "./use-app-text.ts";
import type { Place } from "./use-place.ts";

/** Switches to another project of the workspace, or to another workspace. */
export function Switcher({ workspace, project }: Place) {
  const text = useAppText();
  const navigate = useNavigate();
  const { workspaces } = useMe();
  const { data: projects = [] } = useQuery({
    ...projectsOfWorkspaceQuery(workspace?.id ?? ""),
    enabled: workspace !== undefined,
  });
  const groups = [
    {
      key: "projects",
      ...(workspace ? { label: workspace.name } : {}),
      items: projects.map(({ id, name }) => ({
        key: id,
        label: name,
        isChosen: id === project?.id,
        onChoose: () => void navigate({ to: "/p/$projectId", params: { projectId: id } }),
      })),
    },
    {
      key: "workspaces",
      label: text.allProjects,
      items: workspaces.map(({ id, name }) => ({
        key: id,
        label: name,
        isChosen: id === workspace?.id && !project,
        onChoose: () => void navigate({ to: "/w/$workspaceId", params: { workspaceId: id } }),
      })),
    },
  ];
  return (
    <Menu
      label={text.chooseProject}
      groups={groups}
      className="flex w-full items-center gap-2 rounded-md border border-line bg-surface px-3 py-1.5 text-left hover:border-edge"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-xs text-muted">{workspace?.name}</span>
        <span className="block truncate text-sm font-medium">
          {project?.name ?? text.allProjects}
        </span>
      </span>
    </Menu>
  );
}
