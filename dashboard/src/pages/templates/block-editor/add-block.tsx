import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useProject } from "../../../api/projects.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Plus } from "../../../ui/icons.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import type { Block } from "../blocks/model.ts";
import { copyOf, newBlock, spotForNew, type Place } from "../blocks/operations.ts";
import { readBlocks } from "../blocks/stored-blocks.ts";
import { templateQuery, templatesQuery } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { useBlockText } from "./use-block-text.ts";
import { BLOCK_ICONS, BLOCK_TYPES } from "./block-icons.tsx";
import type { Blocks } from "./use-blocks.ts";
import { wordsOf } from "./words-of.ts";

interface AddBlockProps {
  blocks: Blocks;
  place: Place;
}

/** Adds a block after the selected one: a new one, or a copy from another template. */
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

interface SavedBlocksProps {
  isInColumn: boolean;
  onChoose: (block: Block) => void;
}

/** The blocks of another template, each to copy. */
function SavedBlocks({ isInColumn, onChoose }: SavedBlocksProps) {
  const text = useBlockText();
  const { id: projectId } = useProject();
  const [templateId, setTemplateId] = useState("");
  const templates = useQuery(templatesQuery(projectId)).data ?? [];
  const chosen = useQuery({
    ...templateQuery(projectId, templateId),
    enabled: templateId !== "",
    select: ({ template }) => {
      const stored = readBlocks(template.html_body);
      return stored.kind === "blocks" ? stored.mail.blocks : [];
    },
  });
  return (
    <div className="mt-4 flex flex-col gap-2 border-t border-line pt-4">
      <SelectField
        label={text.savedBlocks}
        hint={text.savedBlocksHint}
        value={templateId}
        onChange={({ target }) => setTemplateId(target.value)}
      >
        <option value="">{text.chooseTemplate}</option>
        {templates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {templateId !== "" && (
        <Loaded query={chosen}>
          {(blocks) => {
            const fitting = blocks.filter(({ type }) => type !== "columns" || !isInColumn);
            return fitting.length === 0 ? (
              <p className="text-sm text-muted">{text.noSavedBlocks}</p>
            ) : (
              <ul className="flex flex-col gap-1">
                {fitting.map((block) => {
                  const Shown = BLOCK_ICONS[block.type];
                  return (
                    <li key={block.id}>
                      <Button
                        look="quiet"
                        className="w-full justify-start! text-left"
                        onClick={() => onChoose(block)}
                      >
                        <Shown aria-hidden className="size-4 shrink-0" />
                        {[text.blockNames[block.type], wordsOf(block)].filter(Boolean).join(": ")}
                      </Button>
                    </li>
                  );
                })}
              </ul>
            );
          }}
        </Loaded>
      )}
    </div>
  );
}
