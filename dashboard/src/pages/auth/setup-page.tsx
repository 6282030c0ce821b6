import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { setupQuery } from "../../api/session.ts";
import { LinkButton, TextLink } from "../../ui/button.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { AuthFrame, tokenOfAddress } from "./auth-frame.tsx";
import { useAuthText } from "./use-auth-text.ts";
import { useSignedIn } from "./use-signed-in.ts";

/** Registers the first user with the setup token; in cloud mode, any user. */
export function SetupPage() {
  const text = useAuthText();
  const { needed, registration } = useSuspenseQuery(setupQuery).data;
  const signedIn = useSignedIn();
  const [form, setForm] = useState({
    setup_token: tokenOfAddress(),
    name: "",
    email: "",
    password: "",
  });
  const register = useMutation({
    mutationFn: () => api.auth.register({ body: form }),
    onSuccess: signedIn,
  });
  const problems = problemsOf(register.error);
  const fieldOf = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) =>
      setForm({ ...form, [name]: event.target.value }),
    error: problems[name],
    required: true,
  });

  if (registration === "closed")
    return (
      <AuthFrame title={text.setupTitle}>
        <p>{text.alreadySetUp}</p>
        <LinkButton to="/login">{text.logIn}</LinkButton>
      </AuthFrame>
    );
  const needsToken = registration === "setup_token";
  return (
    <AuthFrame title={needed ? text.setupTitle : text.registerTitle}>
      {needed && <p className="text-muted">{text.setupWords}</p>}
      <Form of={register} onSubmit={() => register.mutate()} action={text.createAccount} isWide>
        {needsToken && (
          <TextField
            label={text.setupToken}
            hint={text.setupTokenHint}
            autoComplete="off"
            autoFocus={form.setup_token === ""}
            {...fieldOf("setup_token")}
          />
        )}
        <TextField
          label={text.name}
          autoComplete="name"
          autoFocus={!needsToken || form.setup_token !== ""}
          {...fieldOf("name")}
        />
        <TextField label={text.email} type="email" autoComplete="username" {...fieldOf("email")} />
        <TextField
          label={text.password}
          hint={text.passwordHint}
          type="password"
          autoComplete="new-password"
          minLength={8}
          {...fieldOf("password")}
        />
      </Form>
      {!needed && (
        <p className="text-sm">
          <TextLink to="/login">{text.haveAccount}</TextLink>
        </p>
      )}
    </AuthFrame>
  );
}
