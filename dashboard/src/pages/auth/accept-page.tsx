import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AuthFrame, tokenOfAddress } from "./auth-frame.tsx";
import { useAuthText } from "./use-auth-text.ts";
import { useSignedIn } from "./use-signed-in.ts";

/** Accepts an invitation: with a new account, or with the one that the address has. */
export function AcceptPage() {
  const text = useAuthText();
  const shared = useSharedText();
  const [token] = useState(tokenOfAddress);
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => api.invitations.lookUp({ body: { token } }),
    enabled: token !== "",
    staleTime: Infinity,
  });
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const joined = useSignedIn();
  const accept = useMutation({
    mutationFn: () =>
      api.invitations.accept({
        body: invitation.data?.has_account ? { token } : { token, name, password },
      }),
    onSuccess: joined,
  });

  const { data } = invitation;
  return (
    <AuthFrame title={text.acceptTitle}>
      {token === "" && <Notice tone="bad">{text.linkBroken}</Notice>}
      {invitation.isLoading && <Skeleton />}
      {invitation.error && <ErrorWords error={invitation.error} />}
      {data && (
        <Form of={accept} onSubmit={() => accept.mutate()} action={text.accept} isWide>
          <p>
            {text.invitedWords(data.invited_by, data.workspace.name, shared.roleNames[data.role])}
          </p>
          {data.has_account ? (
            <p className="text-muted">{text.acceptLogIn(data.email)}</p>
          ) : (
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
