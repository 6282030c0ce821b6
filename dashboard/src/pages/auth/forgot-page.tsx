import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { TextLink } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AuthFrame } from "./auth-frame.tsx";
import { useAuthText } from "./use-auth-text.ts";

export function ForgotPage() {
  const text = useAuthText();
  const [email, setEmail] = useState("");
  const ask = useMutation({
    mutationFn: () => api.auth.forgotPassword({ body: { email } }),
  });
  return (
    <AuthFrame title={text.forgotTitle}>
      {ask.isSuccess ? (
        <>
          <Notice tone="good" role="status">
            {text.forgotWords}
          </Notice>
          <p className="text-sm text-muted">{text.forgotHelp}</p>
        </>
      ) : (
        <Form of={ask} onSubmit={() => ask.mutate()} action={text.sendLink} isWide>
          <TextField
            label={text.email}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            autoComplete="username"
            required
            autoFocus
          />
        </Form>
      )}
      <p className="text-sm">
        <TextLink to="/login">{text.logIn}</TextLink>
      </p>
    </AuthFrame>
  );
}
