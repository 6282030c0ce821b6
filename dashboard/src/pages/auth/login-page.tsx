import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, PostriderError } from "../../api/client.ts";
import { setupQuery } from "../../api/session.ts";
import { TextLink } from "../../ui/button.tsx";
import { sayError } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
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
  // no one is signed in here, so a 401 does not mean an expired session
  const isRefused = error instanceof PostriderError && error.status === 401;
  return (
    <AuthFrame title={text.loginTitle}>
      <Form
        of={{ error: isRefused ? null : error, isPending: logIn.isPending }}
        onSubmit={() => logIn.mutate()}
        action={text.logIn}
        isWide
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
        {isRefused && (
          <Notice tone="bad" role="alert">
            {sayError(error)}
          </Notice>
        )}
      </Form>
      <p className="flex flex-wrap gap-4 text-sm">
        <TextLink to="/forgot">{text.forgotLink}</TextLink>
        {registration === "open" && <TextLink to="/setup">{text.registerLink}</TextLink>}
      </p>
    </AuthFrame>
  );
}
