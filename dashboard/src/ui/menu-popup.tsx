import { Menu } from "@base-ui/react/menu";
import { Check } from "./action-icons.tsx";
import type { RefObject } from "react";
import type { MenuGroup } from "./menu.tsx";

interface MenuPopupProps {
  anchor: RefObject<HTMLButtonElement | null>;
  groups: MenuGroup[];
  onClose: () => void;
}

/** The open menu, with arrow-key navigation and type-ahead. */
export default function MenuPopup({ anchor, groups, onClose }: MenuPopupProps) {
  return (
    <Menu.Root open onOpenChange={(open) => !open && onClose()}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} align="start" sideOffset={4} className="z-50">
          <Menu.Popup
            finalFocus={anchor}
            className="pops max-h-[70vh] max-w-80 min-w-56 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-float outline-none"
          >
            {groups.map(({ key, label, items }) => (
              <Menu.Group key={key}>
                {label !== undefined && (
                  <Menu.GroupLabel className="px-2.5 pt-2 pb-1 text-xs text-muted">
                    {label}
                  </Menu.GroupLabel>
                )}
                {items.map((item) => (
                  <Menu.Item
                    key={item.key}
                    onClick={item.onChoose}
                    className="flex items-center gap-2 rounded-md px-2.5 py-1.5 text-sm data-highlighted:bg-sunken"
                  >
                    <span className="min-w-0 flex-1">
                      <span className="block truncate">{item.label}</span>
                      {item.detail !== undefined && (
                        <span className="block truncate text-xs text-muted">{item.detail}</span>
                      )}
                    </span>
                    {item.isChosen && <Check aria-hidden className="size-4" />}
                  </Menu.Item>
                ))}
              </Menu.Group>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
