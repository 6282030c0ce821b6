import { useState, type KeyboardEvent, type ReactNode } from "react";
import { classes } from "../../../lib/class-names.ts";
import { Menu } from "../../../ui/menu.tsx";
import { showToast } from "../../../ui/toast.tsx";
import type { Block } from "../blocks/model.ts";
import type { Variable } from "../preview/use-audience.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { useBlockText } from "./use-block-text.ts";
import { BLOCK_ICONS, Ellipsis, GripVertical } from "./block-icons.tsx";
import { BlockFields } from "./block-fields.tsx";
import { ColumnsFields } from "./columns-fields.tsx";
import { SaveBlock } from "./saved-blocks.tsx";
import { wordsOf } from "./words-of.ts";
import type { Blocks } from "./use-blocks.ts";

interface BlockCardProps {
  block: Block;
  blocks: Blocks;
  variables: Variable[];
  isReadOnly: boolean;
  renderColumn: (column: number) => ReactNode;
}

/** A block with its handle and menu, and its fields or columns while it is open. */
export function BlockCard({ block, blocks, variables, isReadOnly, renderColumn }: BlockCardProps) {
  const text = useBlockText();
  const shared = useTemplatesText();
  const [isSaving, setSaving] = useState(false);
  const isColumns = block.type === "columns";
  const isOpen =
    blocks.openId === block.id ||
    (isColumns && (isReadOnly || block.columns.flat().some(({ id }) => id === blocks.openId)));
  const name = text.blockNames[block.type];
  const Kind = BLOCK_ICONS[block.type];
  const words = wordsOf(block);
  const label = words === "" ? name : `${name}: ${words}`;

  const step = (by: 1 | -1) => {
    const at = blocks.step(block.id, by);
    blocks.say(at === undefined ? text.atTheEnd(name) : text.movedTo(name, at));
  };
  const remove = () => {
    const bringBack = blocks.remove(block);
    blocks.say(text.removed(name));
    showToast(text.removed(name), bringBack, { isOfPage: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || isReadOnly) return;
    const by = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key];
    if (by !== undefined) step(by);
    else if (event.key === "Delete" || event.key === "Backspace") remove();
    else return;
    event.preventDefault();
  };
  const icon = { "aria-hidden": true, className: "size-4" } as const;
  return (
    <li
      data-block={block.id}
      className={classes(
        "rounded-lg border bg-surface",
        blocks.openId === block.id ? "border-accent" : "border-line",
        blocks.draggedId === block.id && "opacity-50",
      )}
    >
      <div className="flex items-center gap-1 p-1">
        {!isReadOnly && (
          <button
            type="button"
            draggable
            aria-label={text.moveWithKeys(label)}
            title={text.moveHint}
            onKeyDown={onKeyDown}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", label);
              // changing the list within this event would end the drag
              setTimeout(() => blocks.drag(block.id));
            }}
            onDragEnd={() => blocks.drag(undefined)}
            className="cursor-grab rounded p-2 text-muted hover:bg-sunken"
          >
            <GripVertical {...icon} />
          </button>
        )}
        {isReadOnly ? (
          <span className="flex min-w-0 flex-1 items-center gap-2 truncate px-1 text-sm">
            <Kind {...icon} />
            <span className="truncate">{label}</span>
          </span>
        ) : (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => blocks.open(isOpen ? blocks.around(block) : block.id)}
            className="flex min-w-0 flex-1 items-center gap-2 rounded px-1 py-2 text-left text-sm hover:bg-sunken"
          >
            <Kind {...icon} className="size-4 shrink-0" />
            <span className="truncate">
              <span className="font-medium">{name}</span>{" "}
              <span className="text-muted">{words}</span>
            </span>
          </button>
        )}
        {!isReadOnly && (
          <Menu
            label={text.actionsFor(label)}
            isIcon
            className="shrink-0 rounded p-2 text-muted hover:bg-sunken"
            groups={[
              {
                key: "actions",
                items: [
                  { key: "up", label: text.up, onChoose: () => step(-1) },
                  { key: "down", label: text.down, onChoose: () => step(1) },
                  {
                    key: "duplicate",
                    label: shared.duplicate,
                    onChoose: () => blocks.duplicate(block),
                  },
                  { key: "save", label: text.saveBlock, onChoose: () => setSaving(true) },
                  { key: "remove", label: text.remove, onChoose: remove },
                ],
              },
            ]}
          >
            <Ellipsis {...icon} />
          </Menu>
        )}
      </div>
      {isOpen && isColumns && (
        <div className="@container flex flex-col gap-3 p-3 pt-0">
          {!isReadOnly && <ColumnsFields block={block} onChange={blocks.replace} />}
          {block.columns.map((_, column) => (
            <div key={column} className="min-w-0 rounded-md border border-dashed border-line p-2">
              <p aria-hidden className="text-xs text-muted">
                {text.columnNumber(column + 1)}
              </p>
              {renderColumn(column)}
            </div>
          ))}
        </div>
      )}
      {isOpen && !isColumns && !isReadOnly && (
        <div className="@container flex flex-col gap-3 p-3 pt-0">
          <BlockFields block={block} variables={variables} onChange={blocks.replace} />
        </div>
      )}
      {isSaving && <SaveBlock block={block} onClose={() => setSaving(false)} />}
    </li>
  );
}
