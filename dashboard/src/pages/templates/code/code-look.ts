import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The dashboard's colors, as CSS variables, which the shadow root inherits. */
export const codeLook = [
  EditorView.theme({
    "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--ink)" },
    ".cm-scroller": { fontFamily: "ui-monospace, monospace", fontSize: "13px", lineHeight: "1.55" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
    ".cm-gutters": {
      backgroundColor: "var(--sunken)",
      color: "var(--muted)",
      borderRight: "1px solid var(--line)",
    },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--sunken)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
      { backgroundColor: "var(--accent-soft)" },
    ".cm-variable": {
      backgroundColor: "var(--accent-soft)",
      borderRadius: "3px",
      color: "var(--ink)",
    },
    ".cm-tooltip, .cm-panels": {
      backgroundColor: "var(--surface)",
      color: "var(--ink)",
      border: "1px solid var(--line)",
    },
    ".cm-tooltip-autocomplete ul li[aria-selected]": {
      backgroundColor: "var(--accent)",
      color: "var(--on-accent)",
    },
    ".cm-completionDetail": { color: "inherit", opacity: "0.75" },
    ".cm-stored-blocks": { color: "var(--muted)", fontStyle: "italic" },
    ".cm-changedLine": { backgroundColor: "var(--good-soft)" },
    ".cm-deletedChunk": { backgroundColor: "var(--bad-soft)" },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.tagName, tags.keyword], color: "var(--accent)" },
      { tag: [tags.attributeName, tags.propertyName], color: "var(--warn)" },
      { tag: [tags.attributeValue, tags.string, tags.number], color: "var(--good)" },
      { tag: [tags.comment, tags.meta], color: "var(--muted)", fontStyle: "italic" },
    ]),
  ),
];
