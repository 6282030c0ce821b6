import type { LinkProps } from "@tanstack/react-router";
import {
  Ban,
  FolderOpen,
  Gauge,
  LayoutTemplate,
  ScrollText,
  Send,
  Settings,
  Users,
  Workflow,
  type Icon,
} from "../ui/icons.tsx";
import type { en } from "./text.en.ts";

type Label = { [K in keyof typeof en]: (typeof en)[K] extends string ? K : never }[keyof typeof en];

export interface NavItem {
  to: NonNullable<LinkProps["to"]>;
  label: Label;
  Icon: Icon;
  /** The shortcut, such as "g o". */
  keys: string;
  /** True to mark the item only on its own page, not on pages below it. */
  isExact?: boolean;
  /** Pages below it, shown while one of them is open. */
  parts?: readonly NavPart[];
}

export type NavPart = Pick<NavItem, "to" | "label">;

/** Pages of a project, in order; each page area adds a line. */
export const PROJECT_NAV: NavItem[] = [
  { to: "/p/$projectId", label: "overview", Icon: Gauge, keys: "g o", isExact: true },
  { to: "/p/$projectId/broadcasts", label: "broadcasts", Icon: Send, keys: "g b" },
  { to: "/p/$projectId/automations", label: "automations", Icon: Workflow, keys: "g n" },
  {
    to: "/p/$projectId/templates",
    label: "templates",
    Icon: LayoutTemplate,
    keys: "g t",
    parts: [{ to: "/p/$projectId/templates/images", label: "images" }],
  },
  {
    to: "/p/$projectId/audience",
    label: "audience",
    Icon: Users,
    keys: "g a",
    parts: [
      { to: "/p/$projectId/audience/segments", label: "segments" },
      { to: "/p/$projectId/audience/topics", label: "topics" },
      { to: "/p/$projectId/audience/fields", label: "fields" },
      { to: "/p/$projectId/audience/forms", label: "forms" },
      { to: "/p/$projectId/audience/privacy", label: "privacy" },
    ],
  },
  { to: "/p/$projectId/log", label: "log", Icon: ScrollText, keys: "g l" },
  { to: "/p/$projectId/suppressions", label: "suppressions", Icon: Ban, keys: "g s" },
  { to: "/p/$projectId/settings", label: "settings", Icon: Settings, keys: "g e" },
];

/** The pages of a workspace. */
export const WORKSPACE_NAV: NavItem[] = [
  { to: "/w/$workspaceId", label: "projects", Icon: FolderOpen, keys: "g p", isExact: true },
  { to: "/w/$workspaceId/members", label: "members", Icon: Users, keys: "g m" },
  { to: "/w/$workspaceId/audit", label: "audit", Icon: ScrollText, keys: "g u" },
];
