import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type Completion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { html, htmlLanguage } from "@codemirror/lang-html";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { useEffect, useEffectEvent, useRef, type Ref, useImperativeHandle } from "react";
import { useTemplatesText } from "../use-templates-text.ts";
import type { Variable } from "../preview/use-audience.ts";
import { asSentence } from "../../../lib/as-sentence.ts";
import { useContent } from "../../../parts/templates/use-content.ts";
import { sayMessage, type MessageTexts } from "../../../text/messages.ts";
import type { Problem } from "../queries.ts";
import { codeLook } from "./code-look.ts";
import { keepKey, placeInShadow } from "./shadow-root.ts";
import { completeVariables, markExpressions } from "./variable-support.ts";

/** Imperative handle of an open editor. */
export interface CodeHandle {
  insert: (text: string) => void;
  /** Moves the cursor to a line and a column, which count from 1. */
  goTo: (line: number, column: number) => void;
  /** Moves the cursor to the text at a point of the window. */
  goToPoint: (point: { x: number; y: number }) => void;
}

interface CodeEditorProps {
  label: string;
  /** The initial text; change the component's `key` to replace it. */
  initial: string;
  onChange: (text: string) => void;
  variables: Variable[];
  /** The service's findings for exactly this text; undefined while the check runs. */
  problems: Problem[] | undefined;
  isReadOnly: boolean;
  ref?: Ref<CodeHandle>;
}

/** Edits the HTML of a template. */
export default function CodeEditor(props: CodeEditorProps) {
  const { label, initial, problems, variables, isReadOnly, ref } = props;
  const text = useTemplatesText();
  const content = useContent();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const onChange = useEffectEvent(props.onChange);
  const begin = useEffectEvent(() => initial);
  const completions = useEffectEvent((): Completion[] =>
    variables.map(({ name, label, share }) => ({
      label: name,
      detail: [label, share ? text.shareOfPeople(share.have, share.of) : text.everybody]
        .filter(Boolean)
        .join(", "),
      boost: share ? 1 : 2,
    })),
  );

  useEffect(() => {
    const { current } = host;
    if (!current) return;
    const { root, parent } = placeInShadow(current);
    const editor = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: begin(),
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          html(),
          htmlLanguage.data.of({ autocomplete: completeVariables(() => completions()) }),
          markExpressions(text.storedBlocks),
          codeLook,
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
        ],
      }),
    });
    view.current = editor;
    current.addEventListener("keydown", keepKey);
    return () => {
      current.removeEventListener("keydown", keepKey);
      editor.destroy();
      parent.remove();
    };
  }, [label, isReadOnly, text]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !problems) return;
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor, problems, content)));
  }, [problems, content]);

  useImperativeHandle(ref, () => ({
    insert: (piece) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(piece));
      editor.focus();
    },
    goTo: (line, column) => {
      const editor = view.current;
      if (!editor) return;
      const at = placeIn(editor, line, column);
      editor.dispatch({ selection: { anchor: at }, scrollIntoView: true });
      editor.focus();
    },
    goToPoint: (point) => {
      const editor = view.current;
      const anchor = editor?.posAtCoords(point);
      if (editor && typeof anchor === "number") editor.dispatch({ selection: { anchor } });
    },
  }));

  return <div ref={host} className="h-full" />;
}

/** Returns the offset of a line and a column, clamped to the text. */
function placeIn({ state }: EditorView, line: number, column: number): number {
  const { from, to } = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  return Math.min(from + Math.max(column, 1) - 1, to);
}

const diagnosticsOf = (
  editor: EditorView,
  problems: Problem[],
  content: MessageTexts,
): Diagnostic[] =>
  problems
    .filter(({ field, line }) => field === "html_body" && line !== null)
    .map((problem) => {
      const { line, column, severity } = problem;
      const from = placeIn(editor, line ?? 1, column ?? 1);
      const word = editor.state.doc.sliceString(from, from + 200).match(/^\S[^\s>}]*[>}]*/)?.[0];
      return {
        from,
        to: from + Math.max(word?.length ?? 0, 1),
        severity,
        message: asSentence(sayMessage(content, problem)),
      };
    })
    .map((one) => ({ ...one, to: Math.min(one.to, editor.state.doc.length) }))
    .toSorted((one, other) => one.from - other.from);
