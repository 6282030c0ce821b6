import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { unsaved } from "../../lib/unsaved.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

interface LeaveGuardProps {
  /** The page has something that would be lost. */
  isChanged: boolean;
  words: { leaveTitle: string; leaveWords: string; leave: string };
}

/**
 * Asks before a page is left that would lose something, once for all of its forms; the browser asks
 * before it closes the tab.
 */
export function LeaveGuard({ isChanged, words }: LeaveGuardProps) {
  const { history } = useRouter();
  const [answer, setAnswer] = useState<(isLeaving: boolean) => void>();
  useEffect(() => {
    if (!isChanged) return;
    const ask = () => new Promise<boolean>((resolve) => setAnswer(() => resolve));
    const forget = unsaved.add(ask);
    // the hook of the router would be loaded with every page
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
