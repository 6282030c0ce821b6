import { useImperativeHandle, useRef, type Ref } from "react";
import { flushSync } from "react-dom";
import type { Mail } from "../blocks/model.ts";
import { allBlocks, newBlock, spotForNew } from "../blocks/operations.ts";
import type { ChosenImage } from "../editor/image-html.ts";
import type { Variable } from "../preview/use-audience.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { BlockList } from "./block-list.tsx";
import { LookFields } from "./look-fields.tsx";
import { useBlocks } from "./use-blocks.ts";
import { withImage } from "./with-image.ts";

/** Imperative handle of an open editor. */
export interface BlockHandle {
  /** Opens a block, with the focus in its first field, by its place in the order of the mail, from 0. */
  goTo: (index: number) => void;
  /** Fills the selected image block if it is empty, or else adds one after the selected block. */
  addImage: (image: ChosenImage) => void;
}

interface BlockEditorProps {
  /** The initial mail; change the component's `key` to replace it. */
  initial: Mail;
  onChange: (mail: Mail) => void;
  /** Restores a block after the editor was closed: `left` is the mail at that time. */
  onRestore: (left: Mail, next: Mail) => void;
  variables: Variable[];
  isReadOnly: boolean;
  ref?: Ref<BlockHandle>;
}

const FIELD = "input, select, textarea, [contenteditable=true]";

/** Edits a mail as blocks, without HTML. */
export default function BlockEditor(props: BlockEditorProps) {
  const { initial, variables, isReadOnly, onChange, onRestore, ref } = props;
  const text = useTemplatesText();
  const blocks = useBlocks(initial, onChange, onRestore);
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    goTo: (index) => {
      const id = allBlocks(blocks.mail)[index]?.id;
      if (id === undefined) return;
      flushSync(() => blocks.open(id)); // which shows the block if it is in columns
      const card = list.current?.querySelector(`[data-block="${CSS.escape(id)}"]`);
      card?.scrollIntoView();
      card?.querySelector<HTMLElement>(FIELD)?.focus({ preventScroll: true });
    },
    addImage: (image) => {
      const selected = allBlocks(blocks.mail).find(({ id }) => id === blocks.openId);
      const isEmpty = selected?.type === "image" && selected.src === "";
      const block = isEmpty ? selected : newBlock("image", { leave: "" });
      if (block.type !== "image") return;
      const filled = withImage(block, image);
      if (isEmpty) blocks.replace(filled);
      else blocks.insert(spotForNew(blocks.mail, undefined, blocks.openId), filled);
    },
  }));
  return (
    <div ref={list} className="flex flex-col gap-2">
      {!isReadOnly && <LookFields blocks={blocks} />}
      <BlockList
        blocks={blocks}
        place={undefined}
        label={text.blocks}
        variables={variables}
        isReadOnly={isReadOnly}
      />
      <p role="status" className="sr-only">
        {blocks.said}
      </p>
    </div>
  );
}
