import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { projectsOfWorkspaceQuery } from "../../api/projects.ts";
import { useMe } from "../../api/session.ts";
import { activeShortcuts, shortcutsChoice } from "../../lib/shortcuts.ts";
import { themeChoice } from "../../lib/theme.ts";
import { useBroadcastsText } from "../../pages/broadcasts/use-broadcasts-text.ts";
import { SETTINGS_PAGES } from "../../pages/settings/settings-pages.ts";
import { useSettingsText } from "../../pages/settings/use-settings-text.ts";
import { PROJECT_NAV } from "../nav.ts";
import { useAppText } from "../use-app-text.ts";
import type { Place } from "../use-place.ts";

const PALETTE_KEY = "/";

/** An entry of the palette. */
export interface Entry {
  key: string;
  label: string;
  detail?: string;
  run: () => void;
}

/** Returns the pages, projects and settings that are reachable from a place. */
export function useEntries({ workspace, project }: Place): Entry[] {
  const text = useAppText();
  const navigate = useNavigate();
  const { workspaces } = useMe();
  const settings = useSettingsText();
  const { newBroadcast } = useBroadcastsText();
  const { data: projects = [] } = useQuery({
    ...projectsOfWorkspaceQuery(workspace?.id ?? ""),
    enabled: workspace !== undefined,
  });
  const hasKeys = shortcutsChoice.use() === "on";
  const shortcuts = activeShortcuts().filter(({ keys }) => keys !== PALETTE_KEY);
  const isOffered = shortcuts.some(({ label }) => label === newBroadcast);
  return [
    ...shortcuts.map(({ keys, label, run }) => ({
      key: keys.replace(" ", "-"),
      label,
      ...(hasKeys ? { detail: keys } : {}),
      run,
    })),
    ...(project && !isOffered
      ? [
          {
            key: "new-broadcast",
            label: newBroadcast,
            run: () =>
              void navigate({
                to: "/p/$projectId/broadcasts/new",
                params: { projectId: project.id },
              }),
          },
        ]
      : []),
    ...(project ? PROJECT_NAV : []).flatMap(({ label, parts = [] }) =>
      parts.map((part) => ({
        key: part.to,
        label: text[part.label],
        detail: text[label],
        run: () => project && void navigate({ to: part.to, params: { projectId: project.id } }),
      })),
    ),
    ...(project ? SETTINGS_PAGES : []).map(({ to, label }) => ({
      key: to,
      label: settings[label],
      detail: text.settings,
      run: () => project && void navigate({ to, params: { projectId: project.id } }),
    })),
    ...projects.map(({ id, name }) => ({
      key: id,
      label: name,
      detail: text.project,
      run: () => void navigate({ to: "/p/$projectId", params: { projectId: id } }),
    })),
    ...workspaces.map(({ id, name }) => ({
      key: id,
      label: name,
      detail: text.projects,
      run: () => void navigate({ to: "/w/$workspaceId", params: { workspaceId: id } }),
    })),
    {
      key: "account",
      label: text.account,
      run: () => void navigate({ to: "/account" }),
    },
    ...(["system", "light", "dark"] as const).map((theme) => ({
      key: theme,
      label: `${text.theme}: ${text.themeNames[theme]}`,
      run: () => themeChoice.write(theme),
    })),
  ];
}
