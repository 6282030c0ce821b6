import { useEffect, useState } from "react";
import type { Step } from "../../../../../src/lib/automation-definition.ts";
import { useMe } from "../../../api/session.ts";
import { showToast } from "../../../ui/toast.tsx";
import { blockStart } from "../../templates/blocks/block-start.ts";
import { useFieldsText } from "../../../parts/fields/use-fields-text.ts";
import { useAudienceText } from "../../audience/use-audience-text.ts";
import { useBroadcastsText } from "../../broadcasts/use-broadcasts-text.ts";
import { useTemplatesText } from "../../templates/use-templates-text.ts";
import { useWords } from "../words/use-words.ts";
import type { Editor } from "./editor.ts";
import {
  copyOf,
  insertStep,
  moveStep,
  newId,
  removeStep,
  replaceStep,
  spotOf,
} from "./operations.ts";
import { useEditText } from "./use-edit-text.ts";

interface EditorOptions extends Pick<
  Editor,
  "projectId" | "edit" | "openId" | "open" | "openEmail" | "mayNot" | "problems" | "numbersOf"
> {
  /** Says what happened to a screen reader. */
  say: (words: string) => void;
}

/** Operations on the steps of an automation, each of which keeps the focus on its step. */
export function useEditor({ say, ...shown }: EditorOptions): Editor {
  const { projectId, edit, openId, open } = shown;
  const text = useEditText();
  const { sayStep } = useWords(projectId);
  const { starter } = useTemplatesText();
  // loaded with the page: a later load would hide it for a moment when a card opens
  useAudienceText();
  useBroadcastsText();
  useFieldsText();
  const { user } = useMe();
  const focus = useFocus();
  const { steps } = edit.now;
  const put = (change: (steps: readonly Step[]) => Step[], field?: string) =>
    edit.change((now) => ({ ...now, steps: change(now.steps) }), field);
  return {
    ...shown,
    steps,
    add: (spot, type) => {
      const insert = (html: string) => {
        const step = newStep(type, html, user.email);
        put((now) => insertStep(now, spot, step));
        if (type !== "end") open(step.id);
        focus(step.id);
        say(text.added(sayStep(step)));
      };
      if (type === "send") void blockStart(starter, projectId).then(insert);
      else insert("");
    },
    replace: (step, field) => put((now) => replaceStep(now, step), field && `${step.id} ${field}`),
    move: (step, by) => {
      const moved = moveStep(steps, step, by);
      if (!moved) return say(text.atTheEnd(sayStep(step)));
      put(() => moved);
      focus(step.id);
      say(text.movedTo(sayStep(step), (spotOf(moved, step.id)?.index ?? 0) + 1));
    },
    duplicate: (step) => {
      const copy = copyOf(step);
      put((now) => {
        const spot = spotOf(now, step.id);
        return spot ? insertStep(now, { ...spot, index: spot.index + 1 }, copy) : [...now];
      });
      focus(copy.id);
      say(text.added(sayStep(copy)));
    },
    remove: (step) => {
      const at = spotOf(steps, step.id);
      put((now) => removeStep(now, step.id));
      if (openId === step.id) open(undefined);
      focus(neighbor(steps, step, at?.index ?? 0));
      showToast(text.removed(sayStep(step)), undefined, { isOfPage: true });
    },
  };
}

/** The id of the step that gets the focus when another one is removed. */
function neighbor(steps: readonly Step[], step: Step, index: number): string {
  const list = steps.some(({ id }) => id === step.id) ? steps : [];
  return (list[index + 1] ?? list[index - 1])?.id ?? "trigger";
}

/** Returns a function that focuses a card once it is on the page, and a closing dialog has gone. */
function useFocus(): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string }>();
  useEffect(() => {
    if (!wanted) return;
    const frame = requestAnimationFrame(() => {
      const card = document.querySelector<HTMLElement>(`[data-head="${CSS.escape(wanted.id)}"]`);
      card?.focus();
      card?.scrollIntoView({ block: "nearest" });
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted]);
  return (id) => setWanted({ id });
}

/** A new step, complete as far as that is possible. */
function newStep(type: Step["type"], html_body: string, email: string): Step {
  const id = newId(type);
  switch (type) {
    case "send":
      return { id, type, subject: "", html_body };
    case "wait":
      return { id, type, for: "1 day" };
    case "branch":
      return { id, type, ways: [{ where: "", steps: [] }], else: [] };
    case "set":
      return { id, type, add_tags: [] };
    case "webhook":
      return { id, type, url: "" };
    case "notify":
      return { id, type, emails: [email] };
    case "end":
      return { id, type };
  }
}
