import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { LeaveGuard } from "../../parts/leave-guard/leave-guard.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { templatesQuery } from "../templates/queries.ts";
import { DraftAudience } from "./draft-audience.tsx";
import { DraftChoice } from "./draft-choice.tsx";
import { MissingParts } from "./missing-parts.tsx";
import { newFields, NO_TEMPLATE } from "./new-fields.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const route = getRouteApi("/in/p/$projectId/broadcasts/new");

/** Creates a draft from a name, a template and an audience. Sends nothing. */
export function NewBroadcastPage() {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const search = route.useSearch();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const mayNot = useMayNot("send:broadcast");
  const templates = useQuery(templatesQuery(projectId));
  const [fields, setFields] = useState(() => newFields(search));
  const change = (part: Partial<typeof fields>) => setFields((now) => ({ ...now, ...part }));
  const create = useMutation({
    mutationFn: ({ template_id, ...rest }: typeof fields) => {
      const body = template_id === NO_TEMPLATE ? rest : { ...rest, template_id };
      return api.projects.broadcasts.create({ projectId, body });
    },
    onSuccess: async ({ id: broadcastId }) => {
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
      if (isHere())
        await navigate({
          to: "/p/$projectId/broadcasts/$broadcastId",
          params: { projectId, broadcastId },
          ignoreBlocker: true, // the input is saved in the draft
        });
    },
  });
  const problems = problemsOf(create.error);
  const none = { id: NO_TEMPLATE, name: text.ownHtml };
  return (
    <Page
      title={text.newBroadcast}
      lead={text.newLead}
      actions={
        <LinkButton to="/p/$projectId/broadcasts" params={{ projectId }}>
          {text.back}
        </LinkButton>
      }
    >
      <LeaveGuard isChanged={fields.name !== "" && !create.isSuccess} words={text} />
      <RoleNotice capability="send:broadcast" />
      <MissingParts hasTemplates={templates.data?.length !== 0} />
      <Card>
        <form
          className="grid gap-4 sm:grid-cols-2"
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate(fields);
          }}
        >
          <fieldset className="contents" disabled={mayNot !== undefined}>
            <TextField
              label={text.name}
              hint={text.nameHint}
              value={fields.name}
              error={problems["name"]}
              onChange={({ target }) => change({ name: target.value })}
              required
              autoFocus
            />
            <DraftChoice
              label={text.template}
              hint={text.templateHint}
              none={text.chooseTemplate}
              required
              value={fields.template_id}
              error={problems["template_id"]}
              list={templates}
              choices={templates.data && [...templates.data, none]}
              onChange={(template_id) => change({ template_id })}
            />
            <DraftAudience fields={fields} problems={problems} onChange={change} />
          </fieldset>
          <div className="flex flex-col gap-3 sm:col-span-2">
            {create.error && <ErrorWords error={create.error} />}
            <div>
              <Button type="submit" look="primary" isBusy={create.isPending} offBecause={mayNot}>
                {text.createDraft}
              </Button>
            </div>
          </div>
        </form>
      </Card>
    </Page>
  );
}
