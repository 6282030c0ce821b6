import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Asks before a page is left whose fields are not saved; the browser asks before it closes the tab. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const text = useBroadcastsText();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
      title={text.leaveTitle}
      action={text.leave}
    >
      {text.leaveWords}
    </ConfirmDialog>
  );
}
