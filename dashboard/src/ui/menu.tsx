import { ChevronDown } from "./icons.tsx";
import { lazy, Suspense, useRef, useState, type ReactNode } from "react";

const load = () => import("./menu-popup.tsx");
const Popup = lazy(load);

export interface MenuItem {
  key: string;
  label: string;
  /** A small line below the label. */
  detail?: string;
  isChosen?: boolean;
  onChoose: () => void;
}

export interface MenuGroup {
  key: string;
  label?: string;
  items: MenuItem[];
}

interface MenuProps {
  label: string;
  children: ReactNode;
  /** True for a button of an icon alone. */
  isIcon?: boolean;
  className?: string;
  groups: MenuGroup[];
}

/** A menu button. The menu's code is loaded when the pointer reaches the button. */
export function Menu({ label, children, isIcon = false, className, groups }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        className={className}
      >
        <span className="sr-only">
          {label}
          {!isIcon && ": "}
        </span>
        {children}
        {!isIcon && <ChevronDown aria-hidden className="size-4 shrink-0" />}
      </button>
      {isOpen && (
        <Suspense>
          <Popup anchor={button} groups={groups} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
