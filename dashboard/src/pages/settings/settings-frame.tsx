import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useProject } from "../../api/projects.ts";
import { Page } from "../../ui/page.tsx";
import { useSettingsText } from "./use-settings-text.ts";

interface SettingsFrameProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The pages of the settings, in their order. */
const PAGES = [
  { to: "/p/$projectId/settings/general", label: "general" },
  { to: "/p/$projectId/settings/sending", label: "sending" },
  { to: "/p/$projectId/settings/bounces", label: "bounces" },
  { to: "/p/$projectId/settings/consent", label: "consent" },
  { to: "/p/$projectId/settings/tracking", label: "tracking" },
  { to: "/p/$projectId/settings/keys", label: "keys" },
  { to: "/p/$projectId/settings/webhooks", label: "webhooks" },
  { to: "/p/$projectId/settings/data", label: "data" },
  { to: "/p/$projectId/settings/audit", label: "audit" },
] as const;

/** A page of the settings with the links to the others. */
export function SettingsFrame({ children, ...page }: SettingsFrameProps) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  return (
    <Page {...page}>
      <nav aria-label={text.settings} className="flex flex-wrap gap-1 border-b border-line pb-2">
        {PAGES.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            params={{ projectId }}
            className="rounded-md px-3 py-1.5 text-sm hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium"
          >
            {text[label]}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
