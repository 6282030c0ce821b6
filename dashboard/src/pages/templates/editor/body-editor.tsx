import {
  lazy,
  Suspense,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type Ref,
} from "react";
import { takingImages } from "../../../parts/images/image-files.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { showToast } from "../../../ui/toast.tsx";
import type { BlockHandle } from "../block-editor/block-editor.tsx";
import { useBlockText } from "../block-editor/use-block-text.ts";
import type { Mail } from "../blocks/model.ts";
import { allBlocks } from "../blocks/operations.ts";
import { blockAtLine, renderMail } from "../blocks/render-mail.ts";
import { dropBlocks, readBlocks, storeBlocks } from "../blocks/stored-blocks.ts";
import { escapeText } from "../blocks/variables.ts";
import type { CodeHandle } from "../code/code-editor.tsx";
import { ProblemList } from "../preview/problem-list.tsx";
import { useVariables } from "../preview/use-audience.ts";
import type { Problem } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { htmlOfImage, type ChosenImage } from "./image-html.ts";
import { InsertVariable } from "./insert-variable.tsx";

const CodeEditor = lazy(() => import("../code/code-editor.tsx"));
const BlockEditor = lazy(() => import("../block-editor/block-editor.tsx"));
const ImageDialog = lazy(() => import("./image-dialog.tsx"));

/** Renders blocks as HTML that contains the blocks themselves. */
const htmlOf = (mail: Mail): string => storeBlocks(renderMail(mail), mail);

/** An edited body: what is typed, and how it changes. */
export interface EditedBody {
  html: string;
  /** Increments when the HTML is replaced from outside, so that the editors reload it. */
  generation: number;
  change: (html: string) => void;
  /** Replaces the HTML from outside of the editors, which then reload it. */
  replace: (html: string) => void;
}

/** Imperative handle of the editor of a body. */
export interface BodyHandle {
  /** Opens a block by its id in the stored mail; does nothing while the HTML is shown as code. */
  openBlock: (id: string) => void;
}

interface BodyEditorProps {
  projectId: string;
  body: EditedBody;
  isReadOnly: boolean;
  problems: Problem[] | undefined;
  ref?: Ref<BodyHandle>;
}

/** Edits the HTML, as blocks if it was rendered from them, and as code otherwise. */
export function BodyEditor({ projectId, body, isReadOnly, problems, ref }: BodyEditorProps) {
  const text = useTemplatesText();
  const { blockNames } = useBlockText();
  const { html: source, generation, change, replace } = body;
  const stored = useMemo(() => readBlocks(source), [source]);
  const variables = useVariables(projectId);
  const code = useRef<CodeHandle>(null);
  const blocks = useRef<BlockHandle>(null);
  const [isCodeChosen, setCodeChosen] = useState(false);
  /** The open dialog for an image, with the file that opened it. */
  const [adding, setAdding] = useState<{ file?: File }>();
  const mail = stored.kind === "blocks" && !stored.isChanged ? stored.mail : undefined;
  const isCode = isCodeChosen || !mail;
  const key = `${generation}`;

  const newest = useRef(source);
  useEffect(() => {
    newest.current = source;
  }, [source]);

  /**
   * Reverts a change of the HTML, unless it was edited since: an undo never overwrites typed text.
   */
  const takeBack = (changed: string, html: string) => {
    if (newest.current === changed) replace(html);
    else showToast(text.changedSince);
  };

  /** Replaces the HTML on a click, with an undo. */
  const rewrite = (html: string, said: string) => {
    replace(html);
    showToast(said, () => takeBack(html, source), { isOfPage: true });
  };

  // the ids of a stored mail are those of its last reading, its order is that of the open editor
  const openBlock = (id: string) => {
    if (mail) blocks.current?.goTo(allBlocks(mail).findIndex((block) => block.id === id));
  };
  useImperativeHandle(ref, () => ({ openBlock }));

  const addImage = (image: ChosenImage) => {
    if (isCode) code.current?.insert(htmlOfImage(image));
    else blocks.current?.addImage(image);
  };
  const taking = takingImages((file, at) => {
    if (at) code.current?.goToPoint(at);
    setAdding({ file });
  });

  const blockOf = ({ field, line }: Problem) => {
    const id = field === "html_body" && line !== null && mail && blockAtLine(mail, line);
    return mail?.blocks.find((block) => block.id === id);
  };
  const placeOf = (problem: Problem) => {
    const { field, line, column } = problem;
    if (field === "html_body" && !isCode) {
      const block = blockOf(problem);
      return block && blockNames[block.type];
    }
    const where = line === null ? [] : [text.lineAndColumn(line, column ?? 1)];
    return [text.fields[field], ...where].join(", ");
  };
  const wayTo = (problem: Problem) => {
    const { field, line, column } = problem;
    if (field !== "html_body" || line === null) return undefined;
    if (isCode) return () => code.current?.goTo(line, column ?? 1);
    const block = blockOf(problem);
    return block && (() => openBlock(block.id));
  };

  return (
    <div className="flex min-w-0 flex-col gap-3" {...(isReadOnly ? {} : taking)}>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="flex-1 font-semibold">{isCode ? text.code : text.blocks}</h2>
        {isCode && !isReadOnly && (
          <>
            <InsertVariable
              variables={variables}
              onInsert={(expression) => code.current?.insert(escapeText(expression))}
            />
            <Button onClick={() => setAdding({})}>{text.insertImage}</Button>
          </>
        )}
        {mail && !isCode && <Button onClick={() => setCodeChosen(true)}>{text.showCode}</Button>}
        {mail && isCode && <Button onClick={() => setCodeChosen(false)}>{text.showBlocks}</Button>}
      </div>
      {mail && isCode && <Notice>{text.codeOfBlocks}</Notice>}
      {stored.kind === "unreadable" && <Notice tone="warn">{text.blocksUnreadable}</Notice>}
      {stored.kind === "blocks" && stored.isChanged && (
        <Notice tone="warn">
          <p>{text.changedByHand}</p>
          {!isReadOnly && (
            <div className="mt-2 flex flex-wrap gap-2">
              <Button onClick={() => rewrite(dropBlocks(source), text.stayedInCode)}>
                {text.stayInCode}
              </Button>
              <Button
                onClick={() => {
                  setCodeChosen(false);
                  rewrite(htmlOf(stored.mail), text.wentBack);
                }}
              >
                {text.backToBlocks}
              </Button>
            </div>
          )}
        </Notice>
      )}
      <Suspense fallback={<Skeleton lines={12} />}>
        {isCode ? (
          <div className="h-[32rem] overflow-hidden rounded-lg border border-line">
            <CodeEditor
              key={key}
              ref={code}
              label={text.fields.html_body}
              initial={source}
              onChange={(html) => {
                // stays in code mode while the user types
                setCodeChosen(true);
                change(html);
              }}
              variables={variables}
              problems={problems}
              isReadOnly={isReadOnly}
            />
          </div>
        ) : (
          mail && (
            <BlockEditor
              key={key}
              ref={blocks}
              initial={mail}
              variables={variables}
              isReadOnly={isReadOnly}
              onChange={(next) => change(htmlOf(next))}
              onRestore={(left, next) => takeBack(htmlOf(left), htmlOf(next))}
            />
          )
        )}
      </Suspense>
      <ProblemList problems={problems} placeOf={placeOf} wayTo={wayTo} />
      {adding && (
        <Suspense>
          <ImageDialog
            file={adding.file}
            onInsert={addImage}
            onClose={() => setAdding(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
