import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useMe } from "../../api/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAccountText } from "./use-account-text.ts";

/** The user's name and address, and its verification. */
export function ProfileCard() {
  const text = useAccountText();
  const { user } = useMe();
  const resend = useMutation({
    mutationFn: () => api.auth.resendConfirmation(),
    onSuccess: () => showToast(text.confirmationSent),
  });
  return (
    <Card title={text.profile}>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        <dt className="text-muted">{text.name}</dt>
        <dd>{user.name}</dd>
        <dt className="text-muted">{text.email}</dt>
        <dd className="flex flex-wrap items-center gap-2">
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
    </Card>
  );
}
