import { useMutation } from "@tanstack/react-query";
import { Link, useLocation, useMatchRoute, useNavigate } from "@tanstack/react-router";
import { BookOpen, CircleUser, Keyboard, LogOut, Search } from "../ui/icons.tsx";
import type { ReactNode } from "react";
import { api, PostriderError } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { sessionEnded } from "../api/session-state.ts";
import { useMe } from "../api/session.ts";
import { useShortcut } from "../lib/shortcuts.ts";
import { unsaved } from "../lib/unsaved.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { shortWordsOf } from "../ui/error-words.tsx";
import { Wordmark } from "../ui/mark.tsx";
import { showToast } from "../ui/toast.tsx";
import { PROJECT_NAV, WORKSPACE_NAV, type NavItem } from "./nav.ts";
import { Switcher } from "./switcher.tsx";
import { useAppText } from "./use-app-text.ts";
import { usePlace } from "./use-place.ts";

const ITEM =
  "nav-item flex w-full items-center gap-3 rounded-md px-3 py-1.5 text-left text-sm text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink";

interface SidebarProps {
  onSearch: () => void;
  onShortcuts: () => void;
}

/** Workspace and project switcher, page links, and the account menu. */
export function Sidebar({ onSearch, onShortcuts }: SidebarProps) {
  const text = useAppText();
  const place = usePlace();
  const { user } = useMe();
  const { workspace, project } = place;
  return (
    <div className="flex flex-col gap-4 border-line p-3 max-md:border-b md:sticky md:top-0 md:h-dvh md:overflow-y-auto md:border-r md:py-5">
      <Link to="/" className="hidden px-3 md:block">
        <Wordmark />
      </Link>
      <Switcher {...place} />
      <button
        type="button"
        onClick={onSearch}
        className={`${ITEM} border border-line bg-surface hover:border-edge`}
      >
        <Search aria-hidden className="size-4" />
        <span className="flex-1">{text.search}</span>
        <kbd className="text-xs max-md:hidden">Ctrl K</kbd>
      </button>
      <nav aria-label={text.navigation} className="flex flex-col gap-0.5">
        {project &&
          PROJECT_NAV.map((item) => (
            <NavLink key={item.to} item={item} params={{ projectId: project.id }} />
          ))}
        {!project &&
          workspace &&
          WORKSPACE_NAV.map((item) => (
            <NavLink key={item.to} item={item} params={{ workspaceId: workspace.id }} />
          ))}
      </nav>
      <div className="mt-auto flex flex-col gap-0.5">
        <button type="button" onClick={onShortcuts} className={`${ITEM} hidden md:flex`}>
          <Keyboard aria-hidden className="size-4" />
          {text.shortcuts}
        </button>
        <a href="/docs" className={ITEM}>
          <BookOpen aria-hidden className="size-4" />
          {text.docs}
        </a>
        <Link to="/account" className={ITEM} title={user.email}>
          <CircleUser aria-hidden className="size-4" />
          <span className="truncate">{user.name || text.account}</span>
        </Link>
        <LogOutButton>{text.logOut}</LogOutButton>
      </div>
    </div>
  );
}

function NavLink({ item, params }: { item: NavItem; params: Record<string, string> }) {
  const text = useAppText();
  const navigate = useNavigate();
  const label = text[item.label];
  // the item's `to` and the place's params match by construction
  const target = { to: item.to, params } as { to: "/"; params: object };
  useShortcut(item.keys, text.goTo(label), () => void navigate(target));
  const isOpen = useMatchRoute()({ ...target, fuzzy: true }) !== false;
  const isPartOpen = useLocation({
    select: ({ pathname }) => item.parts?.some(({ to }) => pathname.endsWith(endOf(to))) ?? false,
  });
  return (
    <>
      <Link
        {...target}
        activeOptions={{ exact: isPartOpen || (item.isExact ?? false), includeSearch: false }}
        className={ITEM}
      >
        <item.Icon aria-hidden className="size-4" />
        {label}
      </Link>
      {isOpen &&
        item.parts?.map((part) => (
          <Link key={part.to} {...target} to={part.to} className={`${ITEM} pl-10`}>
            {text[part.label]}
          </Link>
        ))}
    </>
  );
}

/** Returns the last part of a path. */
const endOf = (path: string) => path.slice(path.lastIndexOf("/"));

function LogOutButton({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const shared = useSharedText();
  const leave = () => {
    sessionEnded.watch(false);
    sessionEnded.clear();
    queryClient.clear();
    void navigate({ to: "/login", ignoreBlocker: true }); // the session has already ended
  };
  const logOut = useMutation({
    mutationFn: () => api.auth.logout(),
    onSuccess: leave,
    // without a response the session is still valid, so the page stays
    onError: (error) => {
      if (error instanceof PostriderError && error.status === 401) leave();
      else showToast(shortWordsOf(error, shared));
    },
  });
  const ask = async () => {
    if (await unsaved.mayLeave()) logOut.mutate();
  };
  return (
    <button type="button" onClick={() => void ask()} className={ITEM}>
      <LogOut aria-hidden className="size-4" />
      {children}
    </button>
  );
}
