import { useQuery } from "@tanstack/react-query";
import { topicQuery, topicsQuery } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { NamedList } from "./named-list.tsx";
import { TopicForm } from "./topic-form.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Topics that subscribers can join and leave individually. */
export function TopicsPage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const query = topicsQuery(projectId);
  return (
    <NamedList
      title={text.topics}
      lead={text.topicsLead}
      query={useQuery({ ...query, select: ({ topics }) => topics })}
      queryKey={query.queryKey}
      columns={[
        {
          key: "description",
          head: text.description,
          isMinor: true,
          cell: ({ description }) => description,
        },
      ]}
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
      form={(topic, onDone) => <TopicForm stored={topic} onDone={onDone} />}
    />
  );
}
