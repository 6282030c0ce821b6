import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { TextLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Workflow } from "../../ui/icons.tsx";
import { KeyButton } from "../../ui/key-button.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { editedOf } from "./edit/edited.ts";
import { automationsQuery, type Automation } from "./queries.ts";
import { StateBadge } from "./state-badge.tsx";
import { useAutomationsText } from "./use-automations-text.ts";
import { useWords } from "./words/use-words.ts";

/** The automations of a project, with the people in each. */
export function AutomationsPage() {
  const text = useAutomationsText();
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const mayNot = useMayNot("automations:write");
  const list = useQuery(automationsQuery(projectId));
  const { sayTrigger } = useWords(projectId);
  const create = (
    <KeyButton
      keys="n"
      label={text.newAutomation}
      look="primary"
      offBecause={mayNot}
      onClick={() => void navigate({ to: "/p/$projectId/automations/new", params: { projectId } })}
    />
  );
  const isEmpty = list.data?.automations.length === 0;
  return (
    <Page title={text.title} lead={text.lead} actions={isEmpty ? undefined : create}>
      <Loaded query={list} lines={6}>
        {({ automations }) =>
          automations.length === 0 ? (
            <EmptyState title={text.none} action={create} Icon={Workflow}>
              {text.noneWords}
            </EmptyState>
          ) : (
            <Table
              label={text.title}
              columns={columnsOf(text, projectId, sayTrigger)}
              rows={automations}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

const columnsOf = (
  text: ReturnType<typeof useAutomationsText>,
  projectId: string,
  sayTrigger: ReturnType<typeof useWords>["sayTrigger"],
): Column<Automation>[] => [
  {
    key: "name",
    head: text.name,
    cell: (automation) => {
      const { id: automationId, name, state } = automation;
      return (
        <>
          <TextLink
            to="/p/$projectId/automations/$automationId"
            params={{ projectId, automationId }}
          >
            {name}
          </TextLink>
          <span className="mt-0.5 block text-xs text-muted">
            {sayTrigger(editedOf(automation).trigger)}
          </span>
          <span className="mt-1 block sm:hidden">
            <StateBadge state={state} />
          </span>
        </>
      );
    },
  },
  {
    key: "state",
    head: text.state,
    isMinor: true,
    cell: ({ state }) => <StateBadge state={state} />,
  },
  ...(["inside", "entered", "ended"] as const).map((key) => ({
    key,
    head: text.people[key],
    isNumber: true,
    isMinor: key !== "inside",
    cell: ({ people }: Automation) => formatNumber(people[key]),
  })),
  {
    key: "created",
    head: text.created,
    isMinor: true,
    cell: ({ created_at }) => <When at={created_at} />,
  },
];
