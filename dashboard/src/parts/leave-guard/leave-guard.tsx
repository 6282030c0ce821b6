import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

interface LeaveGuardProps {
  /** The page has something that would be lost. */
  isChanged: boolean;
  words: { leaveTitle: string; leaveWords: string; leave: string };
}

/**
 * Asks before a page is left that would lose something; the browser asks before it closes the tab.
 */
export function LeaveGuard({ isChanged, words }: LeaveGuardProps) {
  const { history } = useRouter();
  const [answer, setAnswer] = useState<(isStaying: boolean) => void>();
  useEffect(() => {
    if (!isChanged) return;
    // the hook of the router would be loaded with every page
    return history.block({
      enableBeforeUnload: true,
      blockerFn: ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname &&
        new Promise<boolean>((resolve) => setAnswer(() => resolve)),
    });
  }, [isChanged, history]);
  const decide = (isStaying: boolean) => {
    setAnswer(undefined);
    answer?.(isStaying);
  };
  return (
    <ConfirmDialog
      isOpen={answer !== undefined}
      onClose={() => decide(true)}
      onConfirm={() => decide(false)}
      title={words.leaveTitle}
      action={words.leave}
    >
      {words.leaveWords}
    </ConfirmDialog>
  );
}
