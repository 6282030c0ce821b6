import { html } from "@codemirror/lang-html";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { codeLook } from "./code-look.ts";
import { keepKey, placeInShadow } from "./shadow-root.ts";

interface DiffViewProps {
  label: string;
  before: string;
  after: string;
}

/** Shows the differences between two texts: removed lines in red, added lines in green. */
export default function DiffView({ label, before, after }: DiffViewProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = host;
    if (!current) return;
    const { root, parent } = placeInShadow(current);
    const view = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: after,
        extensions: [
          lineNumbers(),
          html(),
          codeLook,
          EditorView.lineWrapping,
          EditorState.readOnly.of(true),
          EditorView.editable.of(true),
          EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            gutter: true,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
        ],
      }),
    });
    current.addEventListener("keydown", keepKey);
    return () => {
      current.removeEventListener("keydown", keepKey);
      view.destroy();
      parent.remove();
    };
  }, [label, before, after]);
  return <div ref={host} className="h-full" />;
}
