import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import {
  Decoration,
  MatchDecorator,
  ViewPlugin,
  WidgetType,
  type EditorView,
} from "@codemirror/view";
import type { ViewUpdate, DecorationSet } from "@codemirror/view";

/** Label in place of the long comment with the blocks. */
class StoredBlocks extends WidgetType {
  readonly #label: string;
  constructor(label: string) {
    super();
    this.#label = label;
  }
  override toDOM() {
    const label = document.createElement("span");
    label.className = "cm-stored-blocks";
    label.textContent = this.#label;
    return label;
  }
}

/** Highlights expressions, and replaces the comment with the blocks by a label. */
export function markExpressions(blocksLabel: string) {
  const variable = Decoration.mark({ class: "cm-variable" });
  const blocks = Decoration.replace({ widget: new StoredBlocks(blocksLabel) });
  const matcher = new MatchDecorator({
    regexp: /\{\{!--postrider:blocks:.*?--\}\}|\{\{\{?[^{}]*\}?\}\}/g,
    decoration: ([match]) => (match.startsWith("{{!--postrider") ? blocks : variable),
    maxLength: 200_000,
  });
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = matcher.createDeco(view);
      }
      update(update: ViewUpdate) {
        this.decorations = matcher.updateDeco(update, this.decorations);
      }
    },
    { decorations: ({ decorations }) => decorations },
  );
}

const HELPERS = ["#if", "#unless", "#each", "url_encode"];

/** Completes text after two braces. `variables` returns those of the audience. */
export const completeVariables =
  (variables: () => readonly Completion[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const before = context.matchBefore(/\{\{\{?[#/&]?[\w.@ -]*$/);
    if (!before) return null;
    const start = /^\{\{\{?\s*(?:#(?:if|unless|each|with)\s+)?/.exec(before.text)?.[0] ?? "{{";
    const isArgument = start.includes("#");
    const close = (text: string) =>
      context.state.sliceDoc(context.pos, context.pos + 2) === "}}" ? text : `${text}}}`;
    const options = variables().map((one) => ({
      ...one,
      type: "variable",
      apply: close(one.label),
    }));
    const helpers = HELPERS.map((label) => ({ label, type: "keyword", apply: `${label} ` }));
    return {
      from: before.from + start.length,
      options: isArgument ? options : [...options, ...helpers],
      validFor: /^[#\w.-]*$/,
    };
  };
