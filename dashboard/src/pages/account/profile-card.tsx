import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { meQuery, useMe } from "../../api/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAccountText } from "./use-account-text.ts";

/** The user's name and address, how to change them, and the verification of the address. */
export function ProfileCard() {
  const text = useAccountText();
  const { user } = useMe();
  const [open, setOpen] = useState<"name" | "email">();
  const resend = useMutation({
    mutationFn: () => api.auth.resendConfirmation(),
    onSuccess: () => showToast(text.confirmationSent),
  });
  const close = () => setOpen(undefined);
  return (
    <Card title={text.profile}>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        <dt className="text-muted">{text.name}</dt>
        <dd className="wrap-anywhere">{user.name}</dd>
        <dt className="text-muted">{text.email}</dt>
        <dd className="flex flex-wrap items-center gap-2 wrap-anywhere">
          {user.email} {user.email_verified && <Badge tone="good">{text.confirmed}</Badge>}
        </dd>
      </dl>
      {!user.email_verified && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <p>{text.notConfirmed}</p>
          <Button isBusy={resend.isPending} onClick={() => resend.mutate()}>
            {text.sendConfirmation}
          </Button>
        </div>
      )}
      {resend.error && <ErrorWords error={resend.error} />}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={() => setOpen("name")}>{text.changeName}</Button>
        <Button onClick={() => setOpen("email")}>{text.changeEmail}</Button>
      </div>
      <Dialog isOpen={open === "name"} onClose={close} title={text.changeName}>
        <NameForm onDone={close} />
      </Dialog>
      <Dialog isOpen={open === "email"} onClose={close} title={text.changeEmail}>
        <EmailForm onDone={close} />
      </Dialog>
    </Card>
  );
}

function NameForm({ onDone }: { onDone: () => void }) {
  const text = useAccountText();
  const { user } = useMe();
  const [name, setName] = useState(user.name);
  const change = useMutation({
    mutationFn: () => api.auth.updateMe({ body: { name } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(meQuery);
      showToast(text.nameChanged);
      onDone();
    },
  });
  return (
    <Form of={change} onSubmit={() => change.mutate()} action={text.changeName}>
      <TextField
        label={text.name}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={problemsOf(change.error)["name"]}
        autoComplete="name"
        maxLength={200}
        required
        autoFocus
      />
    </Form>
  );
}

function EmailForm({ onDone }: { onDone: () => void }) {
  const text = useAccountText();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => api.auth.changeEmail({ body: { email, current_password: password } }),
    onSuccess: () => {
      showToast(text.changeSent(email));
      onDone();
    },
  });
  const problems = problemsOf(change.error);
  return (
    <Form of={change} onSubmit={() => change.mutate()} action={text.sendLink}>
      <p>{text.changeEmailWords}</p>
      <TextField
        label={text.newEmail}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={problems["email"]}
        autoComplete="email"
        required
        autoFocus
      />
      <TextField
        label={text.currentPassword}
        type="password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={problems["current_password"]}
        autoComplete="current-password"
        required
      />
    </Form>
  );
}
