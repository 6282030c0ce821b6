import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { topicsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { ErrorWords } from "../../ui/error-words.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import type { BulkChange } from "./use-bulk-change.ts";

interface BulkTopicsProps {
  /** Describes whose topics change. */
  people: string;
  isBusy: boolean;
  error: Error | null;
  onChange: (change: Extract<BulkChange, { action: "set_topics" }>) => void;
}

/** Adds many subscribers to a topic, or removes them. */
export function BulkTopics({ people, isBusy, error, onChange }: BulkTopicsProps) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const query = useQuery({ ...topicsQuery(projectId), select: ({ topics }) => topics });
  const [id, setId] = useState("");
  const [former] = useState(error); // from an earlier attempt
  useDialogLock(isBusy); // the outcome is shown in this dialog
  const button = { isBusy, offBecause: id === "" ? text.chooseTopic : undefined };
  const set = (state: "subscribed" | "unsubscribed") =>
    onChange({ action: "set_topics", topics: { [id]: state } });
  return (
    <div className="flex flex-col gap-4">
      <p>{people}</p>
      <Loaded query={query}>
        {(topics) =>
          topics.length === 0 ? (
            <TextLink to="/p/$projectId/audience/topics" params={{ projectId }}>
              {text.noTopics}
            </TextLink>
          ) : (
            <SelectField
              label={text.topic}
              hint={text.leaversStay}
              value={id}
              onChange={({ target }) => setId(target.value)}
            >
              <option value="">{text.chooseTopic}</option>
              {topics.map((topic) => (
                <option key={topic.id} value={topic.id}>
                  {topic.name}
                </option>
              ))}
            </SelectField>
          )
        }
      </Loaded>
      {error && error !== former && <ErrorWords error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" {...button} onClick={() => set("subscribed")}>
          {text.addToTopic}
        </Button>
        <Button {...button} onClick={() => set("unsubscribed")}>
          {text.removeFromTopic}
        </Button>
      </div>
    </div>
  );
}
