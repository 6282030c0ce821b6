import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { projectsOfWorkspaceQuery } from "../api/projects.ts";
import { useMe } from "../api/session.ts";
import { activeShortcuts } from "../lib/shortcuts.ts";
import { themeChoice } from "../lib/theme.ts";
import { useBroadcastsText } from "../pages/broadcasts/use-broadcasts-text.ts";
import { SETTINGS_PAGES } from "../pages/settings/settings-pages.ts";
import { useSettingsText } from "../pages/settings/use-settings-text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useAppText } from "./use-app-text.ts";
import { usePlace } from "./use-place.ts";

/** The key that opens this palette. */
const PALETTE_KEY = "/";

interface Entry {
  key: string;
  label: string;
  detail?: string;
  run: () => void;
}

/** Finds a page, a project or a setting by its name. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const text = useAppText();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const words = typed.toLowerCase().split(/\s+/);
  const found = useEntries().filter(({ label, detail }) =>
    words.every((word) => `${label} ${detail ?? ""}`.toLowerCase().includes(word)),
  );
  const at = Math.min(chosen, found.length - 1);
  const chosenKey = found[at]?.key;
  useEffect(() => {
    document.getElementById(`${id}-${chosenKey}`)?.scrollIntoView({ block: "nearest" });
  }, [id, chosenKey]);

  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setChosen((at + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[at]);
    }
  };

  return (
    <Dialog isOpen onClose={onClose} title={text.search}>
      <input
        role="combobox"
        aria-label={text.searchHint}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosenKey && `${id}-${chosenKey}`}
        placeholder={text.searchHint}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className="mb-2 w-full rounded-md border border-edge bg-surface px-3 py-2"
        autoFocus
      />
      <ul id={`${id}-list`} role="listbox" aria-label={text.search}>
        {found.map((entry, index) => (
          <li
            key={entry.key}
            id={`${id}-${entry.key}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(entry)}
            className="flex cursor-pointer justify-between gap-3 rounded-md px-3 py-1.5 hover:bg-sunken aria-selected:bg-accent-soft"
          >
            <span>{entry.label}</span>
            {entry.detail !== undefined && <span className="text-muted">{entry.detail}</span>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="px-3 py-2 text-muted">{text.nothingFound}</p>}
    </Dialog>
  );
}

/** Returns everything that the palette can do here. */
function useEntries(): Entry[] {
  const text = useAppText();
  const navigate = useNavigate();
  const { workspaces } = useMe();
  const settings = useSettingsText();
  const { newBroadcast } = useBroadcastsText();
  const { workspace, project } = usePlace();
  const { data: projects = [] } = useQuery({
    ...projectsOfWorkspaceQuery(workspace?.id ?? ""),
    enabled: workspace !== undefined,
  });
  const shortcuts = activeShortcuts().filter(({ keys }) => keys !== PALETTE_KEY);
  const isOffered = shortcuts.some(({ label }) => label === newBroadcast);
  return [
    ...shortcuts.map(({ keys, label, run }) => ({
      key: keys.replace(" ", "-"),
      label,
      detail: keys,
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
