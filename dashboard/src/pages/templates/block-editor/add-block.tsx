import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Plus } from "../../../ui/action-icons.tsx";
import type { Block } from "../blocks/model.ts";
import { copyOf, newBlock, spotForNew, type Place } from "../blocks/operations.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { SavedBlocks } from "./saved-blocks.tsx";
import { useBlockText } from "./use-block-text.ts";
import { BLOCK_ICONS, BLOCK_TYPES } from "./block-icons.tsx";
import type { Blocks } from "./use-blocks.ts";

interface AddBlockProps {
  blocks: Blocks;
  place: Place;
}

/** Adds a block after the selected one: a new one, or a copy of a saved one. */
export function AddBlock({ blocks, place }: AddBlockProps) {
  const text = useBlockText();
  const shared = useTemplatesText();
  const [isOpen, setOpen] = useState(false);
  const add = (block: Block) => {
    setOpen(false);
    blocks.insert(spotForNew(blocks.mail, place, blocks.openId), block);
    blocks.say(text.added(text.blockNames[block.type]));
  };
  return (
    <>
      <Button className="self-start" onClick={() => setOpen(true)}>
        <Plus aria-hidden className="size-4" />
        {text.addBlock}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text.addBlock}>
        <ul className="grid gap-2 sm:grid-cols-2">
          {BLOCK_TYPES.filter((type) => type !== "columns" || !place).map((type) => {
            const Shown = BLOCK_ICONS[type];
            return (
              <li key={type}>
                <Button
                  className="w-full justify-start!"
                  onClick={() => add(newBlock(type, { leave: shared.starter.leave }))}
                >
                  <Shown aria-hidden className="size-4" />
                  {text.blockNames[type]}
                </Button>
              </li>
            );
          })}
        </ul>
        <SavedBlocks isInColumn={place !== undefined} onChoose={(block) => add(copyOf(block))} />
      </Dialog>
    </>
  );
}
