import type { Icon } from "../../ui/icons.tsx";
import { Button } from "../../ui/button.tsx";

interface IconButtonProps {
  label: string;
  icon: Icon;
  onClick: () => void;
}

/** A small button with an icon. */
export function IconButton({ label, icon: Shown, onClick }: IconButtonProps) {
  return (
    <Button look="quiet" className="px-2!" aria-label={label} title={label} onClick={onClick}>
      <Shown aria-hidden className="size-4" />
    </Button>
  );
}
