import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
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

interface TopicChange {
  id: string;
  state: "subscribed" | "unsubscribed";
  isUndo?: boolean;
}

/** The topics of a person, and when, where and how they agreed or left. */
export function PersonConsents({ subscriberId }: { subscriberId: string }) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const key = ["project", projectId, "subscribers", "topics", subscriberId];
  const consents = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      api.projects.subscribers.topics.get({ projectId, subscriberId }, { signal }),
  });
  const change = useMutation({
    mutationFn: ({ id, state }: TopicChange) =>
      api.projects.subscribers.topics.save({
        projectId,
        subscriberId,
        body: { [id]: state },
      }),
    onSuccess: (_, { id, state, isUndo }) => {
      const before = state === "subscribed" ? "unsubscribed" : "subscribed";
      showToast(
        text.saved,
        isUndo ? undefined : () => change.mutate({ id, state: before, isUndo: true }),
      );
      return queryClient.invalidateQueries({ queryKey: key });
    },
  });
  const { topics, history } = consents.data ?? {};
  return (
    <Card title={text.consents}>
      {consents.isPending && <Skeleton lines={3} />}
      {(consents.error ?? change.error) && (
        <ErrorWords error={(consents.error ?? change.error) as Error} />
      )}
      {topics?.length === 0 && <p className="text-muted">{text.noTopicsHere}</p>}
      <ul className="flex flex-col gap-2">
        {topics?.map(({ topic_id, name, state, since }) => (
          <li key={topic_id} className="flex flex-wrap items-center justify-between gap-2">
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
              aria-label={`${name}: ${state === "subscribed" ? text.leave : text.join}`}
              onClick={() =>
                change.mutate({
                  id: topic_id,
                  state: state === "subscribed" ? "unsubscribed" : "subscribed",
                })
              }
            >
              {state === "subscribed" ? text.leave : text.join}
            </Button>
          </li>
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

interface ProofProps {
  ip_address: string;
  user_agent: string;
  form_text: string;
}

/** Shows from where somebody agreed or left, and the words that they read. */
function Proof({ ip_address, user_agent, form_text }: ProofProps) {
  const words = [ip_address, user_agent, form_text && `“${form_text}”`].filter(Boolean).join(" · ");
  return words && <span className="block wrap-break-word text-muted">{words}</span>;
}
