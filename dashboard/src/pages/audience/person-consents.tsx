import { useMutation, useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatExact } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import { useAudienceText } from "./use-audience-text.ts";

type Topic = Api.Consents["topics"][number];

interface TopicChange {
  state: "subscribed" | "unsubscribed";
  isUndo?: boolean;
}

const keyOf = (projectId: string, subscriberId: string) => [
  "project",
  projectId,
  "subscribers",
  "topics",
  subscriberId,
];

/** A subscriber's topics, and their consent history: when, where and how. */
export function PersonConsents({ subscriberId }: { subscriberId: string }) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const consents = useQuery({
    queryKey: keyOf(projectId, subscriberId),
    queryFn: ({ signal }) =>
      api.projects.subscribers.topics.get({ projectId, subscriberId }, { signal }),
  });
  const { topics, history } = consents.data ?? {};
  return (
    <Card title={text.consents}>
      {consents.isPending && <Skeleton lines={3} />}
      {consents.error && (
        <ErrorWords error={consents.error} onRetry={() => void consents.refetch()} />
      )}
      {topics?.length === 0 && <p className="text-muted">{text.noTopicsHere}</p>}
      <ul className="flex flex-col gap-2">
        {topics?.map((topic) => (
          <TopicRow key={topic.topic_id} subscriberId={subscriberId} topic={topic} />
        ))}
      </ul>
      {history && history.length > 0 && (
        <details className="mt-4">
          <summary className="cursor-pointer text-sm font-medium">{text.history}</summary>
          <ol className="mt-2 flex flex-col gap-1 text-sm">
            {history.map(({ at, action, topic_name, by, ...proof }) => (
              <li key={`${at} ${action} ${topic_name}`}>
                <time dateTime={at} className="text-muted">
                  {formatExact(at)}
                </time>{" "}
                {topic_name ?? text.everything}: {text.consentActions[action]} (
                {text.consentSources[by]})
                <Proof {...proof} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </Card>
  );
}

/** A topic of a subscriber with its own button and mutation state. */
function TopicRow({ subscriberId, topic }: { subscriberId: string; topic: Topic }) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const { topic_id: id, name, state, since } = topic;
  const other = state === "subscribed" ? "unsubscribed" : "subscribed";
  const word = state === "subscribed" ? text.leave : text.join;
  const change = useMutation({
    mutationFn: (to: TopicChange) =>
      api.projects.subscribers.topics.save({ projectId, subscriberId, body: { [id]: to.state } }),
    onSuccess: (_, { state: now, isUndo }) => {
      const before = now === "subscribed" ? "unsubscribed" : "subscribed";
      showToast(
        text.saved,
        isUndo ? undefined : () => change.mutate({ state: before, isUndo: true }),
      );
      return queryClient.invalidateQueries({ queryKey: keyOf(projectId, subscriberId) });
    },
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <span>
        {name}: {text.consentStates[state ?? "none"]}{" "}
        {since && (
          <span className="text-sm text-muted">
            <When at={since} />
          </span>
        )}
      </span>
      <Button
        offBecause={mayNot}
        aria-label={`${name}: ${word}`}
        isBusy={change.isPending}
        onClick={() => change.mutate({ state: other })}
      >
        {word}
      </Button>
      {change.error && <ErrorWords error={change.error} />}
    </li>
  );
}

interface ProofProps {
  ip_address: string;
  user_agent: string;
  form_text: string;
}

/** Shows the evidence of a consent: its origin, and the text of the form. */
function Proof({ ip_address, user_agent, form_text }: ProofProps) {
  const text = useAudienceText();
  const read = form_text && text.quoted(form_text);
  const words = [ip_address, user_agent, read].filter(Boolean).join(" · ");
  return words && <span className="block wrap-break-word text-muted">{words}</span>;
}
