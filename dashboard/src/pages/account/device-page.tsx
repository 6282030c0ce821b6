import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ReachFields, type Reach } from "./reach-fields.tsx";
import { useAccountText } from "./use-account-text.ts";

/** Confirms or declines the login of a program by the code that it shows. */
export function DevicePage() {
  const text = useAccountText();
  const [code, setCode] = useState(
    () => new URLSearchParams(location.hash.slice(1)).get("code") ?? "",
  );
  const [chosen, setChosen] = useState<Reach>();
  const find = useMutation({
    mutationFn: () => api.auth.device.lookUp({ body: { user_code: code } }),
  });
  const answer = useMutation({
    mutationFn: (approve: boolean) => {
      const project_ids = approve && chosen ? { project_ids: [...chosen] } : {};
      return api.auth.device.answer({ body: { user_code: code, approve, ...project_ids } });
    },
  });
  const device = find.data;
  return (
    <Page title={text.deviceTitle} lead={text.deviceLead}>
      <Card title={device ? device.name : text.code}>
        {!device && (
          <Form of={find} onSubmit={() => find.mutate()} action={text.findDevice}>
            <TextField
              label={text.code}
              hint={text.codeHint}
              value={code}
              onChange={({ target }) => setCode(target.value)}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              required
              autoFocus
            />
          </Form>
        )}
        {device && answer.isSuccess && (
          <Notice tone={answer.variables ? "good" : "warn"} role="status">
            {answer.variables
              ? text.deviceConfirmed(device.name)
              : text.deviceDeclined(device.name)}
          </Notice>
        )}
        {device && !answer.isSuccess && (
          <Form
            of={answer}
            onSubmit={() => answer.mutate(true)}
            action={text.confirmDevice}
            offBecause={chosen?.size === 0 ? text.selectProject : undefined}
            more={
              <Button isBusy={answer.isPending} onClick={() => answer.mutate(false)}>
                {text.declineDevice}
              </Button>
            }
          >
            <p className="wrap-break-word">
              {text.deviceAsks(device.name)}{" "}
              {device.ip_address !== "" && text.deviceFrom(device.ip_address)}
            </p>
            <p className="font-mono text-2xl font-semibold tracking-widest">{code.toUpperCase()}</p>
            <Notice tone="warn">{text.deviceWarning}</Notice>
            <ReachFields chosen={chosen} onChoose={setChosen} />
          </Form>
        )}
      </Card>
    </Page>
  );
}
