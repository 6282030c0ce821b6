import type { LinkProps } from "@tanstack/react-router";
import {
  FolderOpen,
  Gauge,
  LayoutTemplate,
  ScrollText,
  Users,
  type LucideIcon,
} from "lucide-react";
import type { en } from "./text.en.ts";

type Label = { [K in keyof typeof en]: (typeof en)[K] extends string ? K : never }[keyof typeof en];

export interface NavItem {
  to: NonNullable<LinkProps["to"]>;
  label: Label;
  Icon: LucideIcon;
  /** The shortcut, as "g o". */
  keys: string;
  /** The item is marked on its own page alone, not on pages below it. */
  isExact?: boolean;
}

/** The pages of a project, in their order; each page area adds a line. */
export const PROJECT_NAV: NavItem[] = [
  { to: "/p/$projectId", label: "overview", Icon: Gauge, keys: "g o", isExact: true },
  { to: "/p/$projectId/templates", label: "templates", Icon: LayoutTemplate, keys: "g t" },
];

/** The pages of a workspace. */
export const WORKSPACE_NAV: NavItem[] = [
  { to: "/w/$workspaceId", label: "projects", Icon: FolderOpen, keys: "g p", isExact: true },
  { to: "/w/$workspaceId/members", label: "members", Icon: Users, keys: "g m" },
  { to: "/w/$workspaceId/audit", label: "audit", Icon: ScrollText, keys: "g u" },
];
