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

/** A page of the settings with the links to the others. */
export function SettingsFrame({ children, ...page }: SettingsFrameProps) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const link =
    "rounded-md px-3 py-1.5 text-sm hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium";
  const params = { projectId };
  return (
    <Page {...page}>
      <nav aria-label={text.settings} className="flex flex-wrap gap-1 border-b border-line pb-2">
        <Link to="/p/$projectId/settings/general" params={params} className={link}>
          {text.general}
        </Link>
        <Link to="/p/$projectId/settings/sending" params={params} className={link}>
          {text.sending}
        </Link>
        <Link to="/p/$projectId/settings/bounces" params={params} className={link}>
          {text.bounces}
        </Link>
        <Link to="/p/$projectId/settings/consent" params={params} className={link}>
          {text.consent}
        </Link>
        <Link to="/p/$projectId/settings/keys" params={params} className={link}>
          {text.keys}
        </Link>
        <Link to="/p/$projectId/settings/webhooks" params={params} className={link}>
          {text.webhooks}
        </Link>
      </nav>
      {children}
    </Page>
  );
}
