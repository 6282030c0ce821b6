import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, PostriderError } from "../../api/client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { ErrorWords, sayError } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AuthFrame, tokenOfAddress } from "./auth-frame.tsx";
import { useAuthText } from "./use-auth-text.ts";
import { useSignedIn } from "./use-signed-in.ts";

/** Accepts an invitation, with a new account or with the existing account of the address. */
export function AcceptPage() {
  const text = useAuthText();
  const shared = useSharedText();
  const [token] = useState(tokenOfAddress);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [isSigningIn, setSigningIn] = useState(false);
  const joined = useSignedIn();
  const accept = useMutation({
    mutationFn: async (typed: string): ReturnType<typeof api.invitations.accept> => {
      const { has_account: hasAccount, email = "" } = invitation.data ?? {};
      if (hasAccount && typed !== "") await api.auth.login({ body: { email, password: typed } });
      const body = hasAccount ? { token } : { token, name, password: typed };
      return api.invitations.accept({ body });
    },
    onSuccess: joined,
    onError: (error) => {
      if (isStatus(error, 401) || isStatus(error, 403)) setSigningIn(true);
    },
  });
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => api.invitations.lookUp({ body: { token } }),
    enabled: token !== "" && (accept.isIdle || accept.isError), // a used token opens nothing
    staleTime: Infinity,
  });

  const { data } = invitation;
  // no one is signed in here, so a 401 does not mean an expired session
  const isRefused = isStatus(accept.error, 401);
  return (
    <AuthFrame title={text.acceptTitle}>
      {token === "" && <Notice tone="bad">{text.linkBroken}</Notice>}
      {invitation.isLoading && <Skeleton />}
      {invitation.error && <ErrorWords error={invitation.error} />}
      {data && (
        <Form
          of={{ error: isRefused ? null : accept.error, isPending: accept.isPending }}
          onSubmit={() => accept.mutate(password)}
          action={text.accept}
          isWide
        >
          <p>
            {text.invitedWords(data.invited_by, data.workspace.name, shared.roleNames[data.role])}
          </p>
          {data.has_account && <p className="text-muted">{text.acceptLogIn(data.email)}</p>}
          {data.has_account && isSigningIn && (
            <TextField
              label={text.password}
              hint={text.acceptSignIn(data.email)}
              type="password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              error={
                isRefused && accept.error && accept.variables ? sayError(accept.error) : undefined
              }
              autoComplete="current-password"
              required
              autoFocus
            />
          )}
          {!data.has_account && (
            <>
              <TextField label={text.email} value={data.email} readOnly autoComplete="username" />
              <TextField
                label={text.name}
                value={name}
                onChange={(event) => setName(event.target.value)}
                autoComplete="name"
                required
              />
              <TextField
                label={text.password}
                hint={text.passwordHint}
                type="password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
                autoComplete="new-password"
                minLength={8}
                required
              />
            </>
          )}
        </Form>
      )}
    </AuthFrame>
  );
}

const isStatus = (error: Error | null, status: number) =>
  error instanceof PostriderError && error.status === status;
