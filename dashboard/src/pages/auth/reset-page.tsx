import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { LinkButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AuthFrame, tokenOfAddress } from "./auth-frame.tsx";
import { useAuthText } from "./use-auth-text.ts";

export function ResetPage() {
  const text = useAuthText();
  const [token] = useState(tokenOfAddress);
  const [password, setPassword] = useState("");
  const reset = useMutation({
    mutationFn: () => api.auth.resetPassword({ body: { token, password } }),
  });
  if (reset.isSuccess)
    return (
      <AuthFrame title={text.resetTitle}>
        <Notice tone="good" role="status">
          {text.resetDone}
        </Notice>
        <LinkButton to="/login">{text.logIn}</LinkButton>
      </AuthFrame>
    );
  return (
    <AuthFrame title={text.resetTitle}>
      {token === "" && <Notice tone="bad">{text.linkBroken}</Notice>}
      <Form of={reset} onSubmit={() => reset.mutate()} action={text.setPassword} isWide>
        <TextField
          label={text.newPassword}
          hint={text.passwordHint}
          type="password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="new-password"
          minLength={8}
          required
          autoFocus
        />
      </Form>
    </AuthFrame>
  );
}
