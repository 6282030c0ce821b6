import { useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { AutomationEdit } from "./edit/use-automation-edit.ts";
import { useAutomationsText } from "./use-automations-text.ts";
import type { useSave } from "./use-save.ts";

interface PublishProps {
  edit: AutomationEdit;
  save: ReturnType<typeof useSave>;
  mayNot: string | undefined;
}

const CHOICES = ["stay", "move"] as const;

/** Publishes the edits of a running automation, and asks what happens to the people inside. */
export function Publish({ edit, save, mayNot }: PublishProps) {
  const text = useAutomationsText();
  const group = useId();
  const { base, now, isChanged, theirs } = edit;
  const { inside } = base.people;
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>("stay");
  const publish = () =>
    save.mutate(
      { now, inside: choice },
      {
        onSuccess: () => showToast(text.done.publish),
        onSettled: () => setOpen(false), // the page shows what was refused
      },
    );
  const nothing = isChanged ? undefined : text.nothingToPublish;
  return (
    <>
      {isChanged && !theirs && (
        <Button look="quiet" onClick={edit.discard}>
          {text.discard}
        </Button>
      )}
      <Button
        look="primary"
        isBusy={save.isPending}
        offBecause={mayNot ?? (theirs ? text.decideFirst : nothing)}
        onClick={() => (inside > 0 ? setOpen(true) : publish())}
      >
        {text.publish}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text.publish}>
        <Form of={save} onSubmit={publish} action={text.publish}>
          <p>{text.insideNow(inside)}</p>
          {CHOICES.map((one) => (
            <CheckField
              key={one}
              type="radio"
              name={group}
              label={text.inside[one]}
              hint={text.insideHints[one]}
              checked={choice === one}
              onChange={() => setChoice(one)}
            />
          ))}
        </Form>
      </Dialog>
    </>
  );
}
