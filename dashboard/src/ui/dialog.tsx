import { lazy, Suspense, type ReactNode } from "react";

const Popup = lazy(() => import("./dialog-popup.tsx"));

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  isWide?: boolean;
}

/** A modal dialog. Its code is loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  if (!props.isOpen) return null;
  return (
    <Suspense>
      <Popup {...props} />
    </Suspense>
  );
}
