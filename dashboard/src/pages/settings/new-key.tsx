import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject, useProjectWorkspace } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { wordParam } from "../../lib/search-params.ts";
import { firstSend, type ApiCall } from "../../../../src/lib/snippets.ts";
import { toggled } from "../../lib/toggled.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CredentialsLink } from "../../ui/credentials-link.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Snippets } from "../../ui/snippets.tsx";
import { useSettingsText } from "./use-settings-text.ts";

/** Capabilities available to each type of key (API reference §2.7). */
const CAPABILITIES = {
  sk: [
    "read",
    "projects:write",
    "subscribers:write",
    "events:write",
    "send:transactional",
    "send:broadcast",
    "automations:write",
  ],
  sk_test: ["read", "projects:write", "subscribers:write", "send:transactional"],
  sdk: ["read", "subscribers:write", "events:write", "send:transactional", "send:broadcast"],
  pk: ["subscribers:write"],
} as const;

const KINDS = ["sk", "sk_test", "sdk", "pk"] as const;

/** Creates a key and shows it once, with an example call. */
export function NewKey({ onDone }: { onDone: () => void }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<(typeof KINDS)[number]>("sk");
  const [withheld, setWithheld] = useState<ReadonlySet<string>>(new Set());
  const [rate, setRate] = useState("");
  const own = useProjectWorkspace()?.capabilities ?? [];
  const usable = CAPABILITIES[kind].filter((one) => own.includes(one));
  const capabilities = usable.filter((one) => !withheld.has(one));
  const create = useMutation({
    mutationFn: () =>
      api.projects.apiKeys.create({
        projectId,
        body: {
          name,
          ...(kind === "sk_test" ? { type: "sk" as const, test: true } : { type: kind }),
          capabilities,
          ...(rate !== "" && { rate_limit_per_minute: Number(rate) }),
        },
      }),
    // not awaited, so that the key is shown at once
    onSuccess: () =>
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "keys"] }),
  });
  useDialogLock(create.isSuccess);
  if (create.data) {
    const { key } = create.data;
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{text.keyOnce}</Notice>
        <CodeBlock label={text.key} code={key} />
        <Snippets label={text.firstCall} call={callWith(kind, key, projectId)} />
        <Button look="primary" onClick={onDone}>
          {text.keyStored}
        </Button>
      </div>
    );
  }
  return (
    <Form
      of={create}
      onSubmit={() => create.mutate()}
      action={text.createKey}
      offBecause={capabilities.length === 0 ? text.chooseCapability : undefined}
      isWide
    >
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
      <CredentialsLink />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-medium">{text.capabilities}</legend>
        {usable.map((one) => (
          <CheckField
            key={one}
            label={one}
            checked={!withheld.has(one)}
            onChange={() => setWithheld(toggled(withheld, one))}
          />
        ))}
      </fieldset>
      <TextField
        label={text.keyRate}
        hint={text.keyRateHint}
        isOptional
        type="number"
        min={1}
        value={rate}
        error={problemsOf(create.error)["rate_limit_per_minute"]}
        onChange={({ target }) => setRate(target.value)}
      />
    </Form>
  );
}

/** Returns the first call that a key of this type can make. */
function callWith(kind: (typeof KINDS)[number], credential: string, projectId: string): ApiCall {
  const { origin } = location;
  const email = "you@example.com";
  switch (kind) {
    case "sdk": {
      const body = { to: email, subject: "Hello", html: "<p>It works.</p>" };
      return { origin, path: "/send", body, credential, operation: "keyed.send" };
    }
    case "pk":
      return { origin, path: "/join", body: { email }, credential, operation: "keyed.join" };
    default:
      return firstSend({ origin, projectId, key: credential, email });
  }
}
