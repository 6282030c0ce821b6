import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
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
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            ask.mutate();
          }}
        >
          <TextField
            label={text.email}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            autoComplete="username"
            required
            autoFocus
          />
          {ask.error && <ErrorWords error={ask.error} />}
          <Button type="submit" look="primary" isBusy={ask.isPending}>
            {text.sendLink}
          </Button>
        </form>
      )}
      <p className="text-sm">
        <TextLink to="/login">{text.logIn}</TextLink>
      </p>
    </AuthFrame>
  );
}
