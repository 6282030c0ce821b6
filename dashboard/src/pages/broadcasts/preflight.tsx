import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Client } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatBytes, formatExact, formatNumber, formatRelative } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { CheckField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ProblemPlace } from "./problem-place.tsx";
import type { Broadcast } from "./states.ts";
import { undoStart } from "./undo-start.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

type Answer = Awaited<ReturnType<Client["projects"]["broadcasts"]["preflight"]>>;

/** A later start than this is not the one right after the time for second thoughts. */
const SOON_MS = 20_000;
const TONES = { stop: "bad", warning: "warn", hint: "neutral" } as const;

interface PreflightProps {
  draft: Broadcast;
  version: string;
  /** Says that what was typed is not saved; only what is saved is looked at and sent. */
  saveFirst: string | undefined;
}

/** The last look before the start: who gets it, what is wrong, how long it takes, what it costs. */
export function Preflight({ draft, version, saveFirst }: PreflightProps) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId } = draft;
  const mayNot = useMayNot("send:broadcast");
  const look = useMutation({
    mutationFn: () => api.projects.broadcasts.preflight({ projectId, broadcastId }),
  });
  return (
    <Card
      title={text.preflight}
      actions={
        <Button
          look={look.data ? "plain" : "primary"}
          isBusy={look.isPending}
          offBecause={mayNot ?? saveFirst}
          onClick={() => look.mutate()}
        >
          {look.data ? text.checkAgain : text.check}
        </Button>
      }
    >
      {!look.data && <p className="text-muted">{text.preflightWords}</p>}
      {look.error && <ErrorWords error={look.error} />}
      {look.data && <Findings {...{ draft, version, saveFirst }} found={look.data} />}
    </Card>
  );
}

function Findings({ draft, version, saveFirst, found }: PreflightProps & { found: Answer }) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId } = draft;
  const { recipients, problems, expected } = found;
  const stops = problems.filter(({ grade }) => grade === "stop");
  const [isAccepted, setAccepted] = useState(false);
  const isLater = draft.send_at !== null;
  const start = useMutation({
    mutationFn: () => {
      const accept = stops.map(({ code }) => code);
      const args = { projectId, broadcastId, body: { accept } };
      return api.projects.broadcasts.startDraft(args, { ifMatch: version });
    },
    onSuccess: async ({ starts_at }) => {
      const isFar = isLater && starts_at !== null && Date.parse(starts_at) - Date.now() > SOON_MS;
      const said = isFar
        ? text.startsAt(formatRelative(starts_at, Date.now()), formatExact(starts_at))
        : text.started;
      showToast(said, () => void undoStart(projectId, broadcastId));
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-5" aria-label={text.arithmetic}>
        <Term name={text.active} value={formatNumber(recipients.active)} />
        <Term name={text.minusSuppressed} value={`− ${formatNumber(recipients.suppressed)}`} />
        <Term name={text.minusConsent} value={`− ${formatNumber(recipients.without_consent)}`} />
        <Term name={text.minusSoon} value={`− ${formatNumber(recipients.too_soon)}`} />
        <Term name={text.recipients} value={`= ${formatNumber(recipients.total)}`} />
      </dl>
      <p className="text-sm text-muted">
        {text.expected(
          formatNumber(Math.max(1, Math.round(expected.seconds / 60))),
          `$${expected.cost_usd.toFixed(2)}`,
          formatBytes(expected.log_bytes),
        )}
      </p>
      {problems.length === 0 && <p>{text.noProblems}</p>}
      <ul className="flex flex-col gap-2">
        {problems.map(({ code, grade, message, fix_in }) => (
          <li key={`${code} ${message}`} className="flex flex-wrap items-baseline gap-2">
            <Badge tone={TONES[grade]}>{text.grades[grade]}</Badge>
            <span>{message}</span>
            <ProblemPlace place={fix_in} draft={draft} />
          </li>
        ))}
      </ul>
      {stops.length > 0 && (
        <CheckField
          label={text.accept}
          hint={text.acceptHint}
          checked={isAccepted}
          onChange={({ target }) => setAccepted(target.checked)}
        />
      )}
      {start.error && <ErrorWords error={start.error} />}
      <div>
        <Button
          look="primary"
          isBusy={start.isPending}
          offBecause={saveFirst ?? (stops.length > 0 && !isAccepted ? text.acceptFirst : undefined)}
          onClick={() => start.mutate()}
        >
          {isLater ? text.schedule : text.send(formatNumber(recipients.total))}
        </Button>
      </div>
    </div>
  );
}

const Term = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
  </div>
);
