import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { Card } from "../../ui/card.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAccountText } from "./use-account-text.ts";

/** Changes the password, which revokes all other sessions. */
export function PasswordCard() {
  const text = useAccountText();
  const [current, setCurrent] = useState("");
  const [fresh, setFresh] = useState("");
  const change = useMutation({
    mutationFn: () =>
      api.auth.changePassword({ body: { current_password: current, new_password: fresh } }),
    onSuccess: async () => {
      setCurrent("");
      setFresh("");
      showToast(text.passwordChanged);
      await queryClient.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  const problems = problemsOf(change.error);
  return (
    <Card title={text.passwordTitle}>
      <Form of={change} onSubmit={() => change.mutate()} action={text.changePassword} look="plain">
        <TextField
          label={text.currentPassword}
          type="password"
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
          error={problems["current_password"]}
          autoComplete="current-password"
          required
        />
        <TextField
          label={text.newPassword}
          hint={text.passwordHint}
          type="password"
          value={fresh}
          onChange={(event) => setFresh(event.target.value)}
          error={problems["new_password"]}
          autoComplete="new-password"
          minLength={8}
          required
        />
      </Form>
    </Card>
  );
}
