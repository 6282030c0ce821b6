import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { templatesQuery } from "../templates/queries.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** The choice of a content without a template. */
const OWN = "own";

/** Names a broadcast and chooses its template. Nothing is sent before its own page says so. */
export function NewDraft() {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const templates = useQuery(templatesQuery(projectId));
  const [name, setName] = useState("");
  const [templateId, setTemplateId] = useState("");
  const create = useMutation({
    mutationFn: () =>
      api.projects.broadcasts.create({
        projectId,
        body: templateId === OWN ? { name } : { name, template_id: templateId },
      }),
    onSuccess: async ({ id: broadcastId }) => {
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
      await navigate({
        to: "/p/$projectId/broadcasts/$broadcastId",
        params: { projectId, broadcastId },
      });
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={name}
        error={problemsOf(create.error)["name"]}
        onChange={({ target }) => setName(target.value)}
        required
        autoFocus
      />
      <SelectField
        label={text.template}
        value={templateId}
        onChange={({ target }) => setTemplateId(target.value)}
        required
      >
        <option value="">{text.chooseTemplate}</option>
        {templates.data?.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
        <option value={OWN}>{text.ownHtml}</option>
      </SelectField>
      {templates.data?.length === 0 && <Notice>{text.noTemplates}</Notice>}
      {templates.error && <ErrorWords error={templates.error} />}
      {create.error && <ErrorWords error={create.error} />}
      <Button type="submit" look="primary" isBusy={create.isPending}>
        {text.createDraft}
      </Button>
    </form>
  );
}
