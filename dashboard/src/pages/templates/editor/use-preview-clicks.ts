import { useMemo, useRef } from "react";
import { renderMail } from "../blocks/render-mail.ts";
import { readBlocks } from "../blocks/stored-blocks.ts";
import type { Clicks } from "../preview/mail-view.tsx";
import type { BodyHandle } from "./body-editor.tsx";

/** Returns the HTML of a mail with marked blocks; undefined if it was not rendered from blocks. */
function withMarks(source: string): string | undefined {
  const stored = readBlocks(source);
  return stored.kind === "blocks" && !stored.isChanged ? renderMail(stored.mail, true) : undefined;
}

/**
 * Lets a click on a preview open its block in the editor, which gets the `editor` ref. `previewed`
 * is an earlier state of the source.
 */
export function usePreviewClicks(source: string, previewed: string) {
  const editor = useRef<BodyHandle>(null);
  const html = useMemo(() => withMarks(previewed), [previewed]);
  const clicks: Clicks | undefined =
    html === undefined
      ? undefined
      : {
          html,
          onBlock: (id, shown) => {
            // otherwise, the block may have moved since
            if (shown === withMarks(source)) editor.current?.openBlock(id);
          },
        };
  return { editor, clicks };
}
