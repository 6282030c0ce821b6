import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { Plus } from "../../ui/action-icons.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { SHEET } from "../../ui/card.tsx";
import { languageChoice } from "../../text/language.ts";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { definitionOf, type Edited } from "./edit/edited.ts";
import { automationsQuery, readyMadeQuery } from "./queries.ts";
import { StepSummary } from "./step-summary.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

/** Begins an automation: with a ready-made one, or with nothing. */
export function NewAutomationPage() {
  const text = useAutomationsText();
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const mayNot = useMayNot("automations:write");
  const readyMade = useQuery(readyMadeQuery(projectId, languageChoice.use()));
  const create = useMutation({
    mutationFn: (body: Edited) => api.projects.automations.create({ projectId, body }),
    onSuccess: async ({ id: automationId }) => {
      await queryClient.invalidateQueries(automationsQuery(projectId));
      if (isHere())
        await navigate({
          to: "/p/$projectId/automations/$automationId",
          params: { projectId, automationId },
        });
    },
  });
  const begin = (body: Edited) => create.mutate(body);
  return (
    <Page
      title={text.newAutomation}
      lead={text.newLead}
      actions={
        <LinkButton to="/p/$projectId/automations" params={{ projectId }}>
          {text.back}
        </LinkButton>
      }
    >
      <RoleNotice capability="automations:write" />
      {create.error && <ErrorWords error={create.error} />}
      <Loaded query={readyMade} lines={8}>
        {(data) => (
          <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {data.automations.map(({ key, description, ...made }) => {
              const definition = definitionOf(made);
              const { name } = made;
              return (
                <li key={key} className={`${SHEET} flex flex-col gap-3 p-4`}>
                  <div>
                    <h2 className="font-semibold">{name}</h2>
                    <p className="text-sm text-muted">{description}</p>
                  </div>
                  <div className="flex-1 rounded-md bg-sunken/60 p-3">
                    <StepSummary projectId={projectId} {...definition} />
                  </div>
                  <Button
                    className="self-start"
                    aria-label={text.useNamed(name)}
                    offBecause={mayNot}
                    isBusy={create.isPending && create.variables.name === name}
                    onClick={() => begin(definition)}
                  >
                    {text.use}
                  </Button>
                </li>
              );
            })}
            <li className="flex flex-col items-start gap-3 rounded-lg border border-dashed border-edge p-4">
              <div className="flex-1">
                <h2 className="font-semibold">{text.scratch}</h2>
                <p className="text-sm text-muted">{text.scratchWords}</p>
              </div>
              <Button
                offBecause={mayNot}
                isBusy={create.isPending && create.variables.name === text.unnamed}
                onClick={() =>
                  begin({
                    name: text.unnamed,
                    trigger: { type: "joined" },
                    steps: [],
                    reentry: "never",
                  })
                }
              >
                <Plus aria-hidden className="size-4" />
                {text.begin}
              </Button>
            </li>
          </ul>
        )}
      </Loaded>
    </Page>
  );
}
