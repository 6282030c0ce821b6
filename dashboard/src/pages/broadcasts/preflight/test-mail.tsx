import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useMe } from "../../../api/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { LETTERS, type Broadcast } from "../states.ts";
import { useBroadcastsText } from "../use-broadcasts-text.ts";
import { usePreflightText } from "./use-preflight-text.ts";

/** Sends a draft to any address as a test. */
export function TestMail({ draft }: { draft: Broadcast }) {
  const text = usePreflightText();
  const { outcomes } = useBroadcastsText();
  const { user } = useMe();
  const mayNot = useMayNot("send:transactional");
  const [to, setTo] = useState(user.email);
  const [variant, setVariant] = useState("A");
  const test = useMutation({
    mutationFn: () =>
      api.projects.broadcasts.test({
        projectId: draft.project_id,
        broadcastId: draft.id,
        body: { to: to.split(/[\s,;]+/).filter(Boolean), variant },
      }),
  });
  const letters = [...LETTERS].slice(0, draft.ab?.variants.length ?? 0);
  return (
    <Card title={text.test}>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate();
        }}
      >
        <TextField
          label={text.testTo}
          className="min-w-64"
          value={to}
          onChange={({ target }) => setTo(target.value)}
          required
        />
        {letters.length > 0 && (
          <SelectField
            label={text.testVariant}
            value={variant}
            onChange={({ target }) => setVariant(target.value)}
          >
            {letters.map((letter) => (
              <option key={letter}>{letter}</option>
            ))}
          </SelectField>
        )}
        <Button type="submit" isBusy={test.isPending} offBecause={mayNot}>
          {text.sendTest}
        </Button>
      </form>
      {test.error && <ErrorWords error={test.error} />}
      <div role="status" className="mt-2 text-sm">
        <ul>
          {test.data?.results.map(({ to: address, status, error }) => (
            <li key={address}>
              {address}: {outcomes[status]} {error}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
