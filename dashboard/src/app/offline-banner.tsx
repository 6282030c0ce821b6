import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Notice } from "../ui/notice.tsx";
import { useAppText } from "./use-app-text.ts";

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);

/** Says that the browser does not reach the service, while it has no network. */
export function OfflineBanner() {
  const text = useAppText();
  const isOnline = useSyncExternalStore(subscribe, () => onlineManager.isOnline());
  if (isOnline) return null;
  return (
    <div className="p-4">
      <Notice tone="warn" role="status">
        {text.offline}
      </Notice>
    </div>
  );
}
