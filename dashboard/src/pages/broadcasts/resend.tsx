import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { Button } from "../../ui/button.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import type { Broadcast, DeliveryReport } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

type Again = NonNullable<Broadcast["resend"]>["to"];

/** Returns the groups to which a broadcast may be sent again. */
function groupsIn(report: DeliveryReport | undefined): Again[] {
  const { failed = 0, unknown = 0 } = report ?? {};
  return [
    ...(failed > 0 ? (["failed"] as const) : []),
    ...(unknown > 0 ? (["failed_or_unknown"] as const) : []),
    "joined",
    "not_opened",
  ];
}

/** Creates a draft for the recipients that a broadcast missed. */
export function Resend({
  broadcast,
  report,
}: {
  broadcast: Broadcast;
  report: DeliveryReport | undefined;
}) {
  const text = useBroadcastsText();
  const mayNot = useMayNot("send:broadcast");
  const [to, setTo] = useState<Again>();
  return (
    <>
      {groupsIn(report).map((one) => (
        <Button key={one} offBecause={mayNot} onClick={() => setTo(one)}>
          {text.resend[one]}
        </Button>
      ))}
      <Dialog
        isOpen={to !== undefined}
        onClose={() => setTo(undefined)}
        title={text.resend[to ?? "joined"]}
      >
        {to && <ResendForm broadcast={broadcast} to={to} />}
      </Dialog>
    </>
  );
}

function ResendForm({ broadcast, to }: { broadcast: Broadcast; to: Again }) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId } = broadcast;
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [subject, setSubject] = useState(broadcast.subject);
  const [name, setName] = useState("");
  const resend = useMutation({
    mutationFn: () =>
      api.projects.broadcasts.resend({
        projectId,
        broadcastId,
        body: { to, subject, ...(name === "" ? {} : { name }) },
      }),
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
      if (isHere())
        await navigate({
          to: "/p/$projectId/broadcasts/$broadcastId",
          params: { projectId, broadcastId: id },
        });
    },
  });
  useDialogLock(resend.isPending);
  const problems = problemsOf(resend.error);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        resend.mutate();
      }}
    >
      <p>
        {text.resendWords[to]} {text.resendDraft}
      </p>
      <TextField
        label={text.subject}
        hint={to === "not_opened" ? text.otherSubject : undefined}
        value={subject}
        error={problems["subject"]}
        onChange={({ target }) => setSubject(target.value)}
        required
        autoFocus
      />
      <TextField
        label={text.name}
        hint={text.nameHint}
        isOptional
        value={name}
        error={problems["name"]}
        onChange={({ target }) => setName(target.value)}
      />
      {resend.error && <ErrorWords error={resend.error} />}
      <Button type="submit" look="primary" isBusy={resend.isPending}>
        {text.createDraft}
      </Button>
    </form>
  );
}
