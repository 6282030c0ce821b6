import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, PostriderError } from "../../api/client.ts";
import { setupQuery } from "../../api/session.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AuthFrame } from "./auth-frame.tsx";
import { useAuthText } from "./use-auth-text.ts";
import { useSignedIn } from "./use-signed-in.ts";

const route = getRouteApi("/login");

export function LoginPage() {
  const text = useAuthText();
  const { next } = route.useSearch();
  const { registration } = useSuspenseQuery(setupQuery).data;
  const signedIn = useSignedIn(next);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const logIn = useMutation({
    mutationFn: () => api.auth.login({ body: { email, password } }),
    onSuccess: signedIn,
  });
  const { error } = logIn;
  return (
    <AuthFrame title={text.loginTitle}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          logIn.mutate();
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
        <TextField
          label={text.password}
          type="password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="current-password"
          required
        />
        {error instanceof PostriderError && error.status === 401 ? (
          <Notice tone="bad" role="alert">
            {error.message}
          </Notice>
        ) : (
          error && <ErrorWords error={error} />
        )}
        <Button type="submit" look="primary" isBusy={logIn.isPending}>
          {text.logIn}
        </Button>
      </form>
      <p className="flex flex-wrap gap-4 text-sm">
        <TextLink to="/forgot">{text.forgotLink}</TextLink>
        {registration === "open" && <TextLink to="/setup">{text.registerLink}</TextLink>}
      </p>
    </AuthFrame>
  );
}
