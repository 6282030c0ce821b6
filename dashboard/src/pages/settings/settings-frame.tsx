import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useProject } from "../../api/projects.ts";
import { Page } from "../../ui/page.tsx";
import { SETTINGS_PAGES } from "./settings-pages.ts";
import { useSettingsText } from "./use-settings-text.ts";

interface SettingsFrameProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** Layout of a settings page, with links to the others. */
export function SettingsFrame({ children, ...page }: SettingsFrameProps) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  return (
    <Page shape="groups" {...page}>
      <nav aria-label={text.settings} className="tabs">
        {SETTINGS_PAGES.map(({ to, label }) => (
          <Link key={to} to={to} params={{ projectId }}>
            {text[label]}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
