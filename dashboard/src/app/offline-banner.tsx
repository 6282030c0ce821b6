import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Notice } from "../ui/notice.tsx";
import { useAppText } from "./use-app-text.ts";

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);

/** Shown while the browser is offline and cannot reach the service. */
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
