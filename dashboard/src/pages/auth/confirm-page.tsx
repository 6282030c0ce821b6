import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AuthFrame, tokenOfAddress } from "./auth-frame.tsx";
import { useAuthText } from "./use-auth-text.ts";

/** Confirms an address only on a click, because link scanners open links, too. */
export function ConfirmPage() {
  const text = useAuthText();
  const [token] = useState(tokenOfAddress);
  const confirm = useMutation({
    mutationFn: () => api.auth.confirmAddress({ body: { token } }),
  });
  return (
    <AuthFrame title={text.confirmTitle}>
      {token === "" && <Notice tone="bad">{text.linkBroken}</Notice>}
      {confirm.error && <ErrorWords error={confirm.error} />}
      {confirm.isSuccess ? (
        <>
          <Notice tone="good" role="status">
            {text.confirmDone}
          </Notice>
          <LinkButton to="/">{text.goOn}</LinkButton>
        </>
      ) : (
        <Button look="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
          {text.confirmTitle}
        </Button>
      )}
    </AuthFrame>
  );
}
