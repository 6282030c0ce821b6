import { useQuery } from "@tanstack/react-query";
import { segmentsQuery, topicsQuery } from "../../api/audience.ts";
import { RuleWords } from "../../parts/segments/rule-words.tsx";
import { useRuleFields } from "../../parts/segments/use-rule-fields.ts";
import { useSegmentsText } from "../../parts/segments/use-segments-text.ts";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** The topic, segment and rules of an audience. */
export function AudienceNames({ broadcast }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const { project_id: projectId, topic_id, segment_id, where } = broadcast;
  const topics = useQuery({ ...topicsQuery(projectId), enabled: topic_id !== null });
  const segments = useQuery({ ...segmentsQuery(projectId), enabled: segment_id !== null });
  const topic = topics.data?.topics.find((one) => one.id === topic_id);
  const segment = segments.data?.segments.find((one) => one.id === segment_id);
  const names = [
    topic && `${text.topic}: ${topic.name}`,
    segment && `${text.segment}: ${segment.name}`,
  ].filter((part) => typeof part === "string");
  const isEverybody = topic_id === null && segment_id === null && where === null;
  if (isEverybody) return text.everyone;
  return (
    <>
      {names.join(" · ")}
      {names.length > 0 && where !== null && " · "}
      {where !== null && <Rules projectId={projectId} where={where} />}
    </>
  );
}

function Rules({ projectId, where }: { projectId: string; where: string }) {
  const text = useSegmentsText();
  const fields = useRuleFields(projectId);
  return (
    <>
      {text.rules}: <RuleWords where={where} fields={fields} />
    </>
  );
}
