import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { wordParam } from "../../lib/search-params.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useSettingsText } from "./use-settings-text.ts";

const KINDS = ["sk", "sdk", "pk"] as const;

/** Creates a key and shows it once, with a call that uses it. */
export function NewKey({ onDone }: { onDone: () => void }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<(typeof KINDS)[number]>("sk");
  const create = useMutation({
    mutationFn: () => api.projects.apiKeys.create({ projectId, body: { name, type: kind } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["project", projectId, "keys"] }),
  });
  useDialogLock(create.isSuccess);
  if (create.data) {
    const { key } = create.data;
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{text.keyOnce}</Notice>
        <CodeBlock label={text.key} code={key} />
        <CodeBlock label={text.firstCall} code={callWith(kind, key, projectId)} />
        <Button look="primary" onClick={onDone}>
          {text.keyStored}
        </Button>
      </div>
    );
  }
  return (
    <Form of={create} onSubmit={() => create.mutate()} action={text.createKey} isWide>
      <TextField
        label={text.name}
        hint={text.keyNameHint}
        value={name}
        error={problemsOf(create.error)["name"]}
        onChange={({ target }) => setName(target.value)}
        required
        autoFocus
      />
      <SelectField
        label={text.kind}
        hint={text.kindWords[kind]}
        value={kind}
        onChange={({ target }) => setKind(wordParam(target.value, KINDS) ?? "sk")}
      >
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {text.kinds[one]}
          </option>
        ))}
      </SelectField>
    </Form>
  );
}

/** Returns a first call with a key, ready for a terminal. */
function callWith(kind: (typeof KINDS)[number], key: string, projectId: string): string {
  const base = `${location.origin}/api/v1`;
  const [path, body] = {
    sk: [
      `/projects/${projectId}/send`,
      { to: "you@example.com", subject: "Hello", html_body: "<p>Hello</p>" },
    ],
    sdk: ["/send", { to: "you@example.com", subject: "Hello", html: "<p>Hello</p>" }],
    pk: ["/join", { email: "you@example.com" }],
  }[kind] as [string, object];
  return `curl ${base}${path} \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
}
