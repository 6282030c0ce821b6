import type { Step } from "../../../../../src/lib/automation-definition.ts";
import { problemAt } from "../../../ui/error-words.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { Editor } from "./editor.ts";
import { SendFields } from "./send-fields.tsx";
import { SetFields } from "./set-fields.tsx";
import { useEditText } from "./use-edit-text.ts";
import { WaitFields } from "./wait-fields.tsx";
import { WebhookFields } from "./webhook-fields.tsx";

interface StepFieldsProps {
  editor: Editor;
  step: Step;
  path: string;
}

/** The fields of a step. */
export function StepFields({ editor, step, path }: StepFieldsProps) {
  const text = useEditText();
  const problemOf = (field: string) => problemAt(editor.problems, `${path}.${field}`);
  const rest = { editor, problemOf, onChange: editor.replace };
  switch (step.type) {
    case "send":
      return <SendFields step={step} {...rest} />;
    case "wait":
      return <WaitFields step={step} {...rest} />;
    case "set":
      return <SetFields step={step} {...rest} />;
    case "webhook":
      return <WebhookFields step={step} {...rest} />;
    case "notify":
      return (
        <TextField
          label={text.emails}
          hint={text.emailsHint}
          defaultValue={step.emails.join(", ")}
          error={problemOf("emails")}
          onChange={({ target }) =>
            editor.replace({ ...step, emails: emailsOf(target.value) }, "emails")
          }
        />
      );
    case "branch":
    case "end":
      return null;
  }
}

const emailsOf = (typed: string) =>
  typed
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
