import { useQuery } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { useMay } from "../../../api/projects.ts";
import { useHasFeature } from "../../../api/session.ts";
import { TextLink } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { DraftChoice } from "../../broadcasts/draft-choice.tsx";
import type { FieldsOf } from "./fields-of.ts";
import { useEditText } from "./use-edit-text.ts";

/** The webhook that a step calls. Its URL is typed by those who do not see the URLs of webhooks. */
export function WebhookFields({ editor, step, problemOf, onChange }: FieldsOf<"webhook">) {
  const text = useEditText();
  const { projectId } = editor;
  const mayRead = useMay("webhooks:write");
  const isListed = useHasFeature("webhooks") && mayRead;
  const list = useQuery({
    queryKey: ["project", projectId, "webhooks"],
    queryFn: ({ signal }) => api.projects.webhooks.list({ projectId }, { signal }),
    enabled: isListed,
  });
  const field = { label: text.webhook, hint: text.webhookHint, error: problemOf("url") };
  if (!isListed)
    return (
      <TextField
        {...field}
        type="url"
        value={step.url}
        onChange={({ target }) => onChange({ ...step, url: target.value }, "url")}
      />
    );
  const urls = new Set(list.data?.webhooks.map(({ url }) => url));
  return (
    <>
      <DraftChoice
        {...field}
        none={text.pleaseChoose}
        value={step.url}
        list={list}
        choices={list.data && Array.from(urls, (url) => ({ id: url, name: url }))}
        onChange={(url) => onChange({ ...step, url })}
      />
      <p className="text-sm">
        <TextLink to="/p/$projectId/settings/webhooks" params={{ projectId }}>
          {text.addWebhook}
        </TextLink>
      </p>
    </>
  );
}
