import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { unsaved } from "../../lib/unsaved.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

interface LeaveGuardProps {
  /** True if the page has unsaved input. */
  isChanged: boolean;
  words: { leaveTitle: string; leaveWords: string; leave: string };
}

/**
 * Asks before leaving a page with unsaved input, once for all of its forms; the browser asks before
 * closing the tab.
 */
export function LeaveGuard({ isChanged, words }: LeaveGuardProps) {
  const { history } = useRouter();
  const [answer, setAnswer] = useState<(isLeaving: boolean) => void>();
  useEffect(() => {
    if (!isChanged) return;
    const ask = () => new Promise<boolean>((resolve) => setAnswer(() => resolve));
    const forget = unsaved.add(ask);
    // the router's own hook would be part of every page's bundle
    const unblock = history.block({
      enableBeforeUnload: true,
      blockerFn: async ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname &&
        unsaved.isFirst(ask) &&
        !(await ask()),
    });
    return () => {
      forget();
      unblock();
    };
  }, [isChanged, history]);
  const decide = (isLeaving: boolean) => {
    setAnswer(undefined);
    answer?.(isLeaving);
  };
  return (
    <ConfirmDialog
      isOpen={answer !== undefined}
      onClose={() => decide(false)}
      onConfirm={() => decide(true)}
      title={words.leaveTitle}
      action={words.leave}
    >
      {words.leaveWords}
    </ConfirmDialog>
  );
}
