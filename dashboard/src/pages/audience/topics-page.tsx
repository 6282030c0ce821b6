import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { topicQuery, topicsQuery, type Topic } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { Button, LINK } from "../../ui/button.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { NamedList } from "./named-list.tsx";
import { TopicForEveryone } from "./topic-for-everyone.tsx";
import { TopicForm } from "./topic-form.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Topics that subscribers can join and leave individually. */
export function TopicsPage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const query = topicsQuery(projectId);
  const mayNot = useMayNot("subscribers:write");
  const [giving, setGiving] = useState<Topic>();
  return (
    <>
      <NamedList
        title={text.topics}
        lead={text.topicsLead}
        query={useQuery({ ...query, select: ({ topics }) => topics })}
        queryKey={query.queryKey}
        columns={[
          {
            key: "subscribers",
            head: text.topicSubscribers,
            isNumber: true,
            cell: ({ subscribers }) =>
              text.counted(formatNumber(subscribers.count), subscribers.more),
          },
          {
            key: "description",
            head: text.description,
            isMinor: true,
            cell: ({ description }) => description,
          },
          {
            key: "default",
            head: text.newPeople,
            isMinor: true,
            cell: ({ is_default }) => (is_default ? text.getIt : text.getItByChoice),
          },
          {
            key: "archive",
            head: text.publicArchive,
            isMinor: true,
            cell: ({ public_archive }) =>
              public_archive && (
                <a href={`/archive/${projectId}`} target="_blank" rel="noreferrer" className={LINK}>
                  {text.openArchive}
                </a>
              ),
          },
        ]}
        acts={(topic) => (
          <Button
            look="quiet"
            offBecause={mayNot}
            aria-label={`${text.giveAll}: ${topic.name}`}
            onClick={() => setGiving(topic)}
          >
            {text.giveAll}
          </Button>
        )}
        words={{
          create: text.newTopic,
          none: text.noTopics,
          noneWords: text.noTopicsWords,
          removal: text.deleteTopicWords,
        }}
        remove={({ id: topicId }, signal) =>
          api.projects.topics.delete({ projectId, topicId }, { signal })
        }
        one={(id) => topicQuery(projectId, id)}
        form={(topic, onDone) => <TopicForm stored={topic} onDone={onDone} onDefault={setGiving} />}
      />
      {giving && <TopicForEveryone topic={giving} onClose={() => setGiving(undefined)} />}
    </>
  );
}
