import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Snippets } from "../../ui/snippets.tsx";
import { ReachFields, type Reach } from "./reach-fields.tsx";
import { useAccountText } from "./use-account-text.ts";

const DAY_MS = 86_400_000;
/** The days until a token expires; 0 for never. */
const EXPIRIES = [30, 90, 365, 0] as const;

/** Creates an access token and shows it once, with an example call. */
export function NewToken({ onDone }: { onDone: () => void }) {
  const text = useAccountText();
  const [name, setName] = useState("");
  const [days, setDays] = useState(90);
  const [chosen, setChosen] = useState<Reach>();
  const create = useMutation({
    mutationFn: () => {
      const expires_at = new Date(Date.now() + days * DAY_MS).toISOString();
      const body = {
        name,
        ...(days > 0 && { expires_at }),
        ...(chosen && { project_ids: [...chosen] }),
      };
      return api.auth.tokens.create({ body });
    },
    // not awaited, so that the token is shown at once
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ["tokens"] }),
  });
  useDialogLock(create.isSuccess);
  if (create.data) {
    const { token } = create.data;
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{text.tokenOnce}</Notice>
        <CodeBlock label={text.token} code={token} />
        <Snippets label={text.firstCall} call={whoAmI(token)} />
        <Button look="primary" onClick={onDone}>
          {text.tokenStored}
        </Button>
      </div>
    );
  }
  return (
    <Form
      of={create}
      onSubmit={() => create.mutate()}
      action={text.createToken}
      offBecause={chosen?.size === 0 ? text.selectProject : undefined}
      isWide
    >
      <TextField
        label={text.name}
        hint={text.tokenNameHint}
        value={name}
        error={problemsOf(create.error)["name"]}
        onChange={({ target }) => setName(target.value)}
        required
        autoFocus
      />
      <SelectField
        label={text.expires}
        value={days}
        onChange={({ target }) => setDays(Number(target.value))}
      >
        {EXPIRIES.map((one) => (
          <option key={one} value={one}>
            {text.expiries[one]}
          </option>
        ))}
      </SelectField>
      <ReachFields chosen={chosen} onChoose={setChosen} />
    </Form>
  );
}

const whoAmI = (credential: string) => ({
  origin: location.origin,
  path: "/auth/me",
  credential,
  operation: "auth.me",
});
