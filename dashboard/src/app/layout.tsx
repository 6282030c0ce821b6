import { Outlet, useLocation } from "@tanstack/react-router";
import { Menu } from "../ui/icons.tsx";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { sessionEnded } from "../api/session-state.ts";
import { classes } from "../lib/class-names.ts";
import { keepFocus } from "../lib/keep-focus.ts";
import { pageTitle } from "../lib/page-title.ts";
import { handleShortcut, useShortcut } from "../lib/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { Wordmark } from "../ui/mark.tsx";
import { PageSkeleton } from "../ui/skeleton.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { UnprovenBanner } from "./unproven-banner.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useAppText } from "./use-app-text.ts";
import { useSamePerson } from "./use-same-person.ts";

const Palette = lazy(() => import("./palette/palette.tsx"));
const ShortcutHelp = lazy(() => import("./shortcut-help.tsx"));
const SessionDialog = lazy(() => import("./session-dialog.tsx"));

type Overlay = "palette" | "shortcuts" | undefined;

/** Layout of every page behind the login: the sidebar and the global dialogs. */
export function Layout() {
  const text = useAppText();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [overlay, setOverlay] = useState<Overlay>();
  const needsLogin = sessionEnded.use();
  const announced = pageTitle.useAnnounced();
  const content = useRef<HTMLElement>(null);

  useSamePerson();
  useEffect(() => setOpen(false), [pathname]);
  useEffect(() => (content.current ? keepFocus(content.current) : undefined), []);
  useShortcut("?", text.shortcuts, () => setOverlay("shortcuts"));
  useShortcut("/", text.shortcutPalette, () => setOverlay("palette"));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setOverlay("palette");
      } else handleShortcut(event);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <div className="md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2"
      >
        {text.skipToContent}
      </a>
      <header>
        <p role="status" className="sr-only">
          {announced}
        </p>
        <div className="flex items-center justify-between border-b border-line px-4 py-2 md:hidden">
          <Wordmark />
          <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Menu aria-hidden className="size-5" />
            {text.openMenu}
          </Button>
        </div>
        <div className={classes(!isOpen && "hidden", "md:contents")}>
          <Sidebar
            onSearch={() => setOverlay("palette")}
            onShortcuts={() => setOverlay("shortcuts")}
          />
        </div>
      </header>
      <main ref={content} id="content" tabIndex={-1} className="min-w-0 outline-none">
        <OfflineBanner />
        <UnprovenBanner />
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <Suspense>
        {overlay === "palette" && <Palette onClose={() => setOverlay(undefined)} />}
        {overlay === "shortcuts" && <ShortcutHelp onClose={() => setOverlay(undefined)} />}
        {needsLogin && <SessionDialog />}
      </Suspense>
    </div>
  );
}
