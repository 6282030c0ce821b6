import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { queryClient } from "../../../api/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Trash2 } from "../../../ui/action-icons.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { RowButton } from "../../../ui/row-button.tsx";
import { showFailure } from "../../../ui/show-failure.ts";
import { useSharedText } from "../../../text/shared/use-shared-text.ts";
import { showToast } from "../../../ui/toast.tsx";
import type { Block } from "../blocks/model.ts";
import { readBlock, storedBlock } from "../blocks/stored-blocks.ts";
import { BLOCK_ICONS } from "./block-icons.tsx";
import { useBlockText } from "./use-block-text.ts";
import { wordsOf } from "./words-of.ts";

const savedBlocksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "saved-blocks"],
    queryFn: ({ signal }) => api.projects.savedBlocks.list({ projectId }, { signal }),
    select: ({ saved_blocks: all }) =>
      all.flatMap(({ id, name, block: stored }) => {
        const block = readBlock(stored); // a later version may have saved kinds unknown here
        return block ? [{ id, name, block }] : [];
      }),
  });

async function save(
  projectId: string,
  body: { name: string; block: Record<string, unknown> },
): Promise<void> {
  await api.projects.savedBlocks.create({ projectId, body });
  await queryClient.invalidateQueries(savedBlocksQuery(projectId));
}

interface SaveBlockProps {
  block: Block;
  onClose: () => void;
}

/** Saves a block under a name, for other mails of the project. */
export function SaveBlock({ block, onClose }: SaveBlockProps) {
  const text = useBlockText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("templates:write");
  const [name, setName] = useState(wordsOf(block) || text.blockNames[block.type]);
  const saving = useMutation({
    mutationFn: (given: string) => save(projectId, { name: given, block: storedBlock(block) }),
    onSuccess: (_, given) => {
      onClose();
      showToast(text.blockSaved(given));
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.saveBlock}>
      <Form
        of={saving}
        action={text.saveBlock}
        offBecause={mayNot}
        onSubmit={() => saving.mutate(name)}
      >
        <TextField
          label={text.blockName}
          hint={text.blockNameHint}
          value={name}
          maxLength={200}
          required
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
      </Form>
    </Dialog>
  );
}

interface SavedBlocksProps {
  isInColumn: boolean;
  onChoose: (block: Block) => void;
}

/** The saved blocks of the project, each to insert or to delete. */
export function SavedBlocks({ isInColumn, onChoose }: SavedBlocksProps) {
  const text = useBlockText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("templates:write");
  const shared = useSharedText();
  const query = useQuery(savedBlocksQuery(projectId));
  const remove = async (savedBlockId: string, name: string, block: Block) => {
    await api.projects.savedBlocks.delete({ projectId, savedBlockId });
    await queryClient.invalidateQueries(savedBlocksQuery(projectId));
    const body = { name, block: storedBlock(block) };
    showToast(text.savedBlockDeleted(name), () => {
      save(projectId, body).catch((error: Error) => showFailure(error, shared));
    });
  };
  return (
    <section className="mt-4 flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="font-semibold">{text.savedBlocks}</h3>
      <Loaded query={query} lines={2}>
        {(saved) => {
          const fitting = saved.filter(({ block }) => block.type !== "columns" || !isInColumn);
          if (fitting.length === 0)
            return <p className="text-sm text-muted">{text.noSavedBlocks}</p>;
          return (
            <ul className="flex flex-col gap-1">
              {fitting.map(({ id, name, block }) => {
                const Shown = BLOCK_ICONS[block.type];
                return (
                  <li key={id} className="flex items-center gap-1">
                    <Button
                      look="quiet"
                      className="min-w-0 flex-1 justify-start! text-left"
                      onClick={() => onChoose(block)}
                    >
                      <Shown aria-hidden className="size-4 shrink-0" />
                      <span className="truncate">{name}</span>
                    </Button>
                    <RowButton
                      label={text.deleteSavedBlock(name)}
                      offBecause={mayNot}
                      work={() => remove(id, name, block)}
                    >
                      <Trash2 aria-hidden className="size-4" />
                    </RowButton>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}
