import { Fragment, useState } from "react";
import { classes } from "../../../lib/class-names.ts";
import { blocksAt, type Place, type Spot } from "../blocks/operations.ts";
import type { Variable } from "../preview/use-audience.ts";
import { useBlockText } from "./use-block-text.ts";
import { AddBlock } from "./add-block.tsx";
import { BlockCard } from "./block-card.tsx";
import type { Blocks } from "./use-blocks.ts";

interface BlockListProps {
  blocks: Blocks;
  place: Place;
  label: string;
  variables: Variable[];
  isReadOnly: boolean;
}

/** Blocks of the mail, or of a column, with drop targets in between. */
export function BlockList({ blocks, place, label, variables, isReadOnly }: BlockListProps) {
  const text = useBlockText();
  const list = blocksAt(blocks.mail, place);
  const end = { place, index: list.length };
  return (
    <div className="flex flex-col">
      <ol aria-label={label} className="flex flex-col">
        {list.map((block, index) => (
          <Fragment key={block.id}>
            <DropLine blocks={blocks} spot={{ place, index }} />
            <BlockCard
              block={block}
              blocks={blocks}
              variables={variables}
              isReadOnly={isReadOnly}
              renderColumn={(column) => (
                <BlockList
                  blocks={blocks}
                  place={{ columnsId: block.id, column }}
                  label={text.columnNumber(column + 1)}
                  variables={variables}
                  isReadOnly={isReadOnly}
                />
              )}
            />
          </Fragment>
        ))}
        <DropLine blocks={blocks} spot={end} />
      </ol>
      {!isReadOnly && <AddBlock blocks={blocks} place={place} />}
    </div>
  );
}

interface SpotProps {
  blocks: Blocks;
  spot: Spot;
}

/**
 * Drop target between two blocks. During a drag it overlaps its neighbors, so that nothing moves on
 * the page.
 */
function DropLine({ blocks, spot }: SpotProps) {
  const [isOver, setOver] = useState(false);
  const isWaiting = blocks.draggedId !== undefined;
  return (
    <li aria-hidden data-drop={spot.index} className="relative h-2 list-none">
      {isWaiting && (
        <span
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            blocks.drop(spot);
          }}
          className="absolute inset-x-0 -inset-y-4 z-10 flex items-center"
        >
          <span className={classes("h-1 w-full rounded", isOver && "bg-accent")} />
        </span>
      )}
    </li>
  );
}
