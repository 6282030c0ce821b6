import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/**
 * Asks before a page is left whose fields are not saved; the browser asks before it closes the tab.
 */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const text = useBroadcastsText();
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
      title={text.leaveTitle}
      action={text.leave}
    >
      {text.leaveWords}
    </ConfirmDialog>
  );
}
