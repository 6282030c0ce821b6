import type { ComponentProps } from "react";
import { shortcutsChoice, useShortcut } from "../lib/shortcuts.ts";
import { Button } from "./button.tsx";
import { showToast } from "./toast.tsx";

interface KeyButtonProps extends Omit<ComponentProps<typeof Button>, "children" | "onClick"> {
  /** The shortcut, such as "p". */
  keys: string;
  /** Label of the button and of the shortcut in the list. */
  label: string;
  onClick: () => void;
}

/** A button with a keyboard shortcut, which it displays. Both explain why they are disabled. */
export function KeyButton({ keys, label, onClick, ...rest }: KeyButtonProps) {
  useShortcut(keys, label, () => {
    if (rest.offBecause !== undefined) showToast(rest.offBecause);
    else if (!rest.isBusy) onClick();
  });
  const isOn = shortcutsChoice.use() === "on";
  return (
    <Button {...rest} aria-keyshortcuts={isOn ? keys : undefined} onClick={onClick}>
      {label}
      {isOn && (
        <kbd aria-hidden className="text-xs opacity-70 max-md:hidden">
          {keys.toUpperCase()}
        </kbd>
      )}
    </Button>
  );
}
