import { useSyncExternalStore } from "react";
import { Notice } from "../ui/notice.tsx";
import { useAppText } from "./use-app-text.ts";

function subscribe(listener: () => void) {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Says that the browser has no network, while it has none. */
export function OfflineBanner() {
  const text = useAppText();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <div className="p-4">
      <Notice tone="warn" role="status">
        {text.offline}
      </Notice>
    </div>
  );
}
