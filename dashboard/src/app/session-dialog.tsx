import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, PostriderError } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { sessionEnded } from "../api/session-state.ts";
import { useMe } from "../api/session.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorWords, sayError } from "../ui/error-words.tsx";
import { Notice } from "../ui/notice.tsx";
import { TextField } from "../ui/field.tsx";
import { useAppText } from "./use-app-text.ts";

/** Asks for the password in a dialog, without losing the page's state. */
export default function SessionDialog() {
  const text = useAppText();
  const shared = useSharedText();
  const { user } = useMe();
  const [password, setPassword] = useState("");
  const logIn = useMutation({
    mutationFn: () => api.auth.login({ body: { email: user.email, password } }),
    onSuccess: async () => {
      sessionEnded.clear();
      await queryClient.invalidateQueries();
    },
  });
  const { error } = logIn;
  const isRefused = error instanceof PostriderError && error.status === 401;
  return (
    <Dialog isOpen onClose={() => sessionEnded.clear()} title={text.sessionEndedTitle}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          logIn.mutate();
        }}
      >
        <p>{text.sessionEndedWords}</p>
        <TextField label={text.email} value={user.email} readOnly autoComplete="username" />
        <TextField
          label={text.password}
          type="password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="current-password"
          required
          autoFocus
        />
        {error && !isRefused && <ErrorWords error={error} />}
        {isRefused && (
          <Notice tone="bad" role="alert">
            {sayError(error)}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={() => sessionEnded.clear()}>{shared.cancel}</Button>
          <Button type="submit" look="primary" isBusy={logIn.isPending}>
            {shared.login}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
