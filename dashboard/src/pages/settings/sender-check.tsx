import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { useFindings } from "../../parts/sending-server/use-findings.ts";
import { sayMessage } from "../../text/messages.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useSettingsText } from "./use-settings-text.ts";

const TONES = {
  ok: "good",
  warning: "warn",
  problem: "bad",
  unknown: "neutral",
} as const;

/** Checks the sender's DNS as receiving servers see it: SPF, DKIM, DMARC and more. */
export function SenderCheck() {
  const text = useSettingsText();
  const findings = useFindings();
  const { id: projectId, from_email } = useProject();
  const [selector, setSelector] = useState("");
  const check = useMutation({
    mutationFn: () =>
      api.projects.sending.check({
        projectId,
        ...(selector.trim() === "" ? {} : { dkim_selector: selector.trim() }),
      }),
  });
  return (
    <Card
      title={text.senderCheck}
      actions={
        <Button
          isBusy={check.isPending}
          offBecause={from_email === null ? text.noSender : undefined}
          onClick={() => check.mutate()}
        >
          {text.checkSender}
        </Button>
      }
    >
      <p className="text-sm text-muted">{text.senderCheckWords}</p>
      {check.data && (
        <TextField
          className="mt-3 max-w-xs"
          label={text.dkimSelector}
          hint={text.dkimSelectorHint}
          isOptional
          value={selector}
          onChange={({ target }) => setSelector(target.value)}
        />
      )}
      {check.error && <ErrorWords error={check.error} />}
      {check.data && (
        <ul className="mt-3 flex flex-col gap-4">
          {check.data.items.map(
            ({ check: name, domain, verdict, explanation, code, params, record }) => (
              <li key={`${name} ${domain}`} className="flex flex-col gap-2">
                <p>
                  <Badge tone={TONES[verdict]}>{text.verdicts[verdict]}</Badge>{" "}
                  <strong>{name.toUpperCase().replaceAll("_", "-")}</strong> {domain}
                </p>
                <p className="text-sm">
                  {sayMessage(findings, { code, params, message: explanation })}
                </p>
                {record && (
                  <CodeBlock label={`${record.name} ${record.type}`} code={record.value} />
                )}
              </li>
            ),
          )}
        </ul>
      )}
      {check.data?.items.length === 0 && <Notice tone="good">{text.verdicts.ok}</Notice>}
    </Card>
  );
}
