import { useEffect, useRef, useState } from "react";
import type { Block, Mail } from "../blocks/model.ts";
import {
  copyOf,
  insertBlock,
  moveBlock,
  removeBlock,
  replaceBlock,
  spotOf,
  stepBlock,
  type Spot,
} from "../blocks/operations.ts";

export type Blocks = ReturnType<typeof useBlocks>;

/** State of the block editor: the mail, the open block, and the dragged block. */
export function useBlocks(
  initial: Mail,
  onChange: (mail: Mail) => void,
  onRestore: (left: Mail, next: Mail) => void,
) {
  const [mail, setMail] = useState(initial);
  const [openId, setOpenId] = useState<string>();
  const [draggedId, setDraggedId] = useState<string>();
  /** The last action, for screen readers. */
  const [said, setSaid] = useState("");
  const newest = useRef(initial);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const set = (next: Mail) => {
    newest.current = next;
    setMail(next);
    onChange(next);
  };
  return {
    mail,
    openId,
    open: setOpenId,
    /** Returns the id of the columns around a block. */
    around: ({ id }: Block) => spotOf(mail, id)?.place?.columnsId,
    draggedId,
    drag: setDraggedId,
    said,
    say: setSaid,
    setLook: (look: Partial<Mail["look"]>) => set({ ...mail, look: { ...mail.look, ...look } }),
    replace: (block: Block) => set(replaceBlock(mail, block)),
    insert: (spot: Spot, block: Block) => {
      set(insertBlock(mail, spot, block));
      setOpenId(block.id);
    },
    /** Removes a block. Returns a function that restores it in the mail's current state. */
    remove: (block: Block) => {
      const spot = spotOf(mail, block.id);
      set(removeBlock(mail, block.id));
      setOpenId(spot?.place?.columnsId ?? openId);
      return () => {
        if (!spot) return;
        const next = insertBlock(newest.current, spot, block);
        if (isOpen.current) set(next);
        else onRestore(newest.current, next);
      };
    },
    duplicate: (block: Block) => {
      const spot = spotOf(mail, block.id);
      if (spot) set(insertBlock(mail, { ...spot, index: spot.index + 1 }, copyOf(block)));
    },
    drop: (spot: Spot) => {
      if (draggedId !== undefined) set(moveBlock(mail, draggedId, spot));
      setDraggedId(undefined);
    },
    /** Moves a block one step. Returns its new position in its list, counted from 1. */
    step: (id: string, step: 1 | -1): number | undefined => {
      const next = stepBlock(mail, id, step);
      if (!next) return undefined;
      set(next);
      return (spotOf(next, id)?.index ?? 0) + 1;
    },
  };
}
