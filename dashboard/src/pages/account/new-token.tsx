import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { allProjectsQuery } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { toggled } from "../../lib/toggled.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Snippets } from "../../ui/snippets.tsx";
import { useAccountText } from "./use-account-text.ts";

const DAY_MS = 86_400_000;
/** The days until a token expires; 0 for never. */
const EXPIRIES = [30, 90, 365, 0] as const;

/** Creates an access token and shows it once, with an example call. */
export function NewToken({ onDone }: { onDone: () => void }) {
  const text = useAccountText();
  const [name, setName] = useState("");
  const [days, setDays] = useState(90);
  const [isSome, setSome] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const create = useMutation({
    mutationFn: () => {
      const expires_at = new Date(Date.now() + days * DAY_MS).toISOString();
      const body = {
        name,
        ...(days > 0 && { expires_at }),
        ...(isSome && { project_ids: [...chosen] }),
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
      offBecause={isSome && chosen.size === 0 ? text.selectProject : undefined}
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
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-medium">{text.projects}</legend>
        {([false, true] as const).map((some) => (
          <CheckField
            key={String(some)}
            type="radio"
            name="reach"
            label={text.reach[some ? "some" : "all"]}
            checked={isSome === some}
            onChange={() => setSome(some)}
          />
        ))}
      </fieldset>
      {isSome && <ProjectChoice chosen={chosen} onChoose={setChosen} />}
    </Form>
  );
}

const whoAmI = (credential: string) => ({
  origin: location.origin,
  path: "/auth/me",
  credential,
  operation: "auth.me",
});

interface ProjectChoiceProps {
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** A checkbox for each of the user's projects. */
function ProjectChoice({ chosen, onChoose }: ProjectChoiceProps) {
  const text = useAccountText();
  const projects = useQuery(allProjectsQuery);
  return (
    <Loaded query={projects} lines={2}>
      {(all) => (
        <div
          role="group"
          aria-label={text.reach.some}
          className="flex max-h-48 flex-col gap-1 overflow-y-auto pl-6"
        >
          {all.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={chosen.has(id)}
              onChange={() => onChoose(toggled(chosen, id))}
            />
          ))}
        </div>
      )}
    </Loaded>
  );
}
