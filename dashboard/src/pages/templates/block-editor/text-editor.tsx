import { Editor, Mark, Node } from "@tiptap/core";
import { Bold } from "@tiptap/extension-bold";
import { Document } from "@tiptap/extension-document";
import { HardBreak } from "@tiptap/extension-hard-break";
import { Italic } from "@tiptap/extension-italic";
import { BulletList, ListItem, OrderedList } from "@tiptap/extension-list";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Text } from "@tiptap/extension-text";
import { UndoRedo } from "@tiptap/extensions";
import { Bold as BoldIcon, Italic as ItalicIcon, Link, List, ListOrdered } from "./block-icons.tsx";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { Paragraph as MailParagraph } from "../blocks/model.ts";
import { readable, safeUrl } from "../blocks/variables.ts";
import { InsertVariable } from "../editor/insert-variable.tsx";
import type { Variable } from "../preview/use-audience.ts";
import { useBlockText } from "./use-block-text.ts";
import { documentOf, paragraphsOf, textContent } from "./rich-text.ts";

/** A link, rendered without its URL, so that a click does not follow it. */
const MailLink = Mark.create({
  name: "link",
  inclusive: false,
  addAttributes: () => ({
    href: {
      default: "",
      parseHTML: (element: HTMLElement) => element.getAttribute("href") ?? "",
      renderHTML: ({ href }: Record<string, unknown>) => ({ title: String(href) }),
    },
  }),
  parseHTML: () => [{ tag: "a[href]" }],
  renderHTML: ({ HTMLAttributes }) => ["a", { ...HTMLAttributes, class: "underline" }, 0],
});

/** A variable as a chip, with its name and the text for those who lack it. */
const MailVariable = Node.create({
  name: "variable",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({
    source: {
      default: "",
      parseHTML: (element: HTMLElement) => element.dataset["variable"] ?? "",
      renderHTML: ({ source }: Record<string, unknown>) => ({ "data-variable": String(source) }),
    },
  }),
  parseHTML: () => [{ tag: "span[data-variable]" }],
  renderText: ({ node }) => String(node.attrs["source"]),
  renderHTML: ({ node, HTMLAttributes }) => [
    "span",
    { ...HTMLAttributes, class: "rounded bg-accent-soft px-1" },
    readable(String(node.attrs["source"])).replace(/^\[(.*)\]$/s, "$1"),
  ],
});

const LOOK =
  "[&_.ProseMirror]:min-h-16 [&_.ProseMirror]:rounded-md [&_.ProseMirror]:border [&_.ProseMirror]:border-edge [&_.ProseMirror]:p-2 [&_.ProseMirror]:whitespace-pre-wrap [&_ol]:list-decimal [&_ol]:pl-6 [&_ul]:list-disc [&_ul]:pl-6 [&_p]:mb-1";

interface TextEditorProps {
  label: string;
  initial: readonly MailParagraph[];
  onChange: (paragraphs: MailParagraph[]) => void;
  variables: Variable[];
}

/** Edits the paragraphs of a text block. */
export function TextEditor({ label, initial, variables, ...rest }: TextEditorProps) {
  const text = useBlockText();
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [, setMoves] = useState(0);
  const [href, setHref] = useState<string>();
  const onChange = useEffectEvent(rest.onChange);
  const begin = useEffectEvent(() => documentOf(initial));
  useEffect(() => {
    const made = new Editor({
      element: host.current,
      injectCSS: false, // the page's policy blocks style elements
      extensions: [
        Document,
        Paragraph,
        Text,
        Bold,
        Italic,
        BulletList,
        OrderedList,
        ListItem,
        HardBreak,
        MailLink,
        MailVariable,
        UndoRedo,
      ],
      content: begin(),
      editorProps: {
        attributes: { "aria-label": label, "aria-multiline": "true", role: "textbox" },
      },
      onUpdate: ({ editor: { state } }) => onChange(paragraphsOf(state.doc.toJSON())),
      onTransaction: () => setMoves((count) => count + 1), // updates the buttons for the cursor position
    });
    setEditor(made);
    return () => made.destroy();
  }, [label]);

  const badHref = href !== undefined && href !== "" && safeUrl(href) === undefined;
  const applyLink = () => {
    if (badHref || href === undefined) return;
    const chain = editor?.chain().focus().extendMarkRange("link");
    if (href === "") chain?.unsetMark("link").run();
    else chain?.setMark("link", { href: href.trim() }).run();
    setHref(undefined);
  };
  const tool = (name: string, words: string, icon: ReactNode, run: () => void) => (
    <Button
      look={editor?.isActive(name) ? "primary" : "plain"}
      aria-label={words}
      aria-pressed={editor?.isActive(name) ?? false}
      title={words}
      onClick={run}
    >
      {icon}
    </Button>
  );
  const icon = { "aria-hidden": true, className: "size-4" } as const;
  return (
    <div className={`flex flex-col gap-2 ${LOOK}`}>
      <div role="toolbar" aria-label={text.formatting} className="flex flex-wrap gap-1">
        {tool("bold", text.bold, <BoldIcon {...icon} />, () =>
          editor?.chain().focus().toggleBold().run(),
        )}
        {tool("italic", text.italic, <ItalicIcon {...icon} />, () =>
          editor?.chain().focus().toggleItalic().run(),
        )}
        {tool("bulletList", text.dotList, <List {...icon} />, () =>
          editor?.chain().focus().toggleBulletList().run(),
        )}
        {tool("orderedList", text.numberList, <ListOrdered {...icon} />, () =>
          editor?.chain().focus().toggleOrderedList().run(),
        )}
        {tool("link", text.link, <Link {...icon} />, () =>
          setHref(String(editor?.getAttributes("link")["href"] ?? "")),
        )}
        <InsertVariable
          variables={variables}
          onInsert={(expression) =>
            editor?.chain().focus().insertContent(textContent(expression)).run()
          }
        />
      </div>
      {href !== undefined && (
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            applyLink();
          }}
        >
          <TextField
            label={text.linkUrl}
            hint={text.linkUrlHint}
            value={href}
            onChange={(event) => setHref(event.target.value)}
            error={badHref ? text.badUrl : undefined}
            className="flex-1"
            autoFocus
          />
          <Button type="submit">{text.apply}</Button>
        </form>
      )}
      <div ref={host} />
    </div>
  );
}
