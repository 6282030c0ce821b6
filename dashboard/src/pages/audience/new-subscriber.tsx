import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Adds one subscriber. */
export function NewSubscriber({ onDone }: { onDone: () => void }) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const add = useMutation({
    mutationFn: () => api.projects.subscribers.create({ projectId, body: { email, name } }),
    onSuccess: async () => {
      showToast(text.added(email));
      onDone();
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "subscribers"] });
    },
  });
  return (
    <Form of={add} onSubmit={() => add.mutate()} action={text.add} isWide>
      <TextField
        label={text.email}
        type="email"
        value={email}
        error={problemsOf(add.error)["email"]}
        onChange={({ target }) => setEmail(target.value)}
        required
        autoFocus
      />
      <TextField
        label={text.name}
        isOptional
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </Form>
  );
}
