import { useQuery } from "@tanstack/react-query";
import { CircleX, Clock } from "../../ui/action-icons.tsx";
import { CircleCheck } from "../../ui/icons.tsx";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { useMe } from "../../api/session.ts";
import { LINK } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { When } from "../../ui/when.tsx";
import { useStartText } from "./use-start-text.ts";

const POLL_MS = 2_000;

/** After this time without an open, polling stops until the user returns to the page. */
const WATCHED_MS = 600_000;

/** The inbox URL that `npm start` puts into its project's description. */
const LOCAL_INBOX = /http:\/\/127\.0\.0\.1:\d+\//;

/** Returns the mail to follow: from the URL, else the newest one to the user that was accepted. */
function useFollowed(projectId: string, logId: string | undefined): string | undefined {
  const { user } = useMe();
  const newest = useQuery({
    queryKey: ["project", projectId, "logs", "newest", user.email],
    queryFn: ({ signal }) =>
      api.projects.logs.list(
        { projectId, to_email: user.email, status: "sent", limit: 1 },
        { signal },
      ),
    enabled: logId === undefined,
  });
  return logId ?? newest.data?.logs[0]?.id;
}

/** Returns true for a mail that was opened, was not accepted, or is no longer recent. */
const isSettled = (mail: { opened_at: string | null; status: string; sent_at: string }): boolean =>
  mail.opened_at !== null ||
  mail.status !== "sent" ||
  Date.now() - Date.parse(mail.sent_at) > WATCHED_MS;

/** Polls a mail until it is opened. */
export function WatchCard(props: { logId: string | undefined }) {
  const text = useStartText();
  const { id: projectId, description } = useProject();
  const logId = useFollowed(projectId, props.logId);
  const mail = useQuery({
    queryKey: ["project", projectId, "logs", logId],
    queryFn: ({ signal }) => api.projects.logs.get({ projectId, logId: logId ?? "" }, { signal }),
    enabled: logId !== undefined,
    refetchInterval: ({ state }) => (state.data && isSettled(state.data) ? false : POLL_MS),
  });
  const { data } = mail;
  const [inbox] = LOCAL_INBOX.exec(description) ?? [];
  return (
    <Card title={`3. ${text.watch}`}>
      <div aria-live="polite" className="flex flex-col gap-3">
        {logId === undefined && <p className="text-muted">{text.watchIdle}</p>}
        {mail.error && <ErrorWords error={mail.error} onRetry={() => void mail.refetch()} />}
        {data?.status === "sent" && (
          <Stage Icon={CircleCheck} look="text-good" at={data.sent_at}>
            {data.server ? text.accepted(data.server) : text.acceptedHere}
          </Stage>
        )}
        {data && data.status !== "sent" && (
          <Stage Icon={CircleX} look="text-bad" at={data.sent_at}>
            {text.notAccepted} {data.error} {data.explanation.what_to_do}
          </Stage>
        )}
        {data?.status === "sent" && data.opened_at === null && (
          <Stage Icon={Clock} look="text-muted">
            {text.waitingForOpen}
          </Stage>
        )}
        {data?.opened_at && (
          <Stage Icon={CircleCheck} look="text-good" at={data.opened_at}>
            {text.opened}
          </Stage>
        )}
        {inbox !== undefined && (
          <p className="text-sm text-muted">
            {text.localInbox}{" "}
            <a href={inbox} target="_blank" rel="noreferrer" className={LINK}>
              {text.localInboxLink}
            </a>
          </p>
        )}
      </div>
    </Card>
  );
}

interface StageProps {
  Icon: typeof Clock;
  look: string;
  at?: string;
  children: ReactNode;
}

const Stage = ({ Icon, look, at, children }: StageProps) => (
  <p className="flex items-start gap-2">
    <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${look}`} />
    <span>
      {children} {at !== undefined && <span className="text-muted">{<When at={at} />}</span>}
    </span>
  </p>
);
