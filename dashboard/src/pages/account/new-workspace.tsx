import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { meQuery, useMe } from "../../api/session.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useAccountText } from "./use-account-text.ts";

/** The user's workspaces with their roles, and a form to create another one. */
export function NewWorkspace() {
  const text = useAccountText();
  const shared = useSharedText();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const { workspaces } = useMe();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => api.workspaces.create({ body: { name } }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries(meQuery);
      if (isHere()) await navigate({ to: "/w/$workspaceId", params: { workspaceId: id } });
    },
  });
  return (
    <Card title={text.workspaces}>
      <ul className="mb-4 flex flex-col gap-1">
        {workspaces.map(({ id, name, role }) => (
          <li key={id}>
            <TextLink to="/w/$workspaceId" params={{ workspaceId: id }}>
              {name}
            </TextLink>{" "}
            <span className="text-muted">{shared.roleNames[role]}</span>
          </li>
        ))}
      </ul>
      <form
        className="flex max-w-md flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextField
          className="flex-1"
          label={text.newWorkspace}
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
        />
        <Button type="submit" isBusy={create.isPending}>
          {text.create}
        </Button>
      </form>
      {create.error && <ErrorWords error={create.error} />}
    </Card>
  );
}
