import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Step } from "../../../../src/lib/automation-definition.ts";
import { formatPercent } from "../../lib/format.ts";
import { reportQuery, type Automation } from "./queries.ts";
import { useAutomationsText } from "./use-automations-text.ts";

/**
 * Returns what to show at a step of a started automation: the people who rest there, and the emails
 * of all versions that the report has; undefined before the first start.
 */
export function useStepNumbers(
  projectId: string,
  { id, state, started_at }: Automation,
): ((step: Step) => ReactNode) | undefined {
  const text = useAutomationsText();
  const report = useQuery({ ...reportQuery(projectId, id, state), enabled: started_at !== null });
  if (!report.data) return undefined;
  const steps = report.data.versions.flatMap((version) => version.steps);
  return (step) => {
    const same = steps.filter((one) => one.id === step.id);
    const sum = (pick: (one: (typeof same)[number]) => number | undefined) =>
      same.reduce((all, one) => all + (pick(one) ?? 0), 0);
    const here = sum(({ now }) => now);
    const sent = sum(({ mails }) => mails?.sent);
    const share = (count: number) => formatPercent((100 * count) / sent);
    const words = [
      ...(here > 0 ? [text.here(here)] : []),
      ...(sent > 0
        ? [
            text.sent(sent),
            text.opened(share(sum(({ mails }) => mails?.opened_human))),
            text.clicked(share(sum(({ mails }) => mails?.clicked_human))),
          ]
        : []),
    ];
    return words.length === 0 ? null : (
      <p className="-mt-2 px-3 pb-3 pl-14 text-xs text-muted tabular-nums">{words.join(" · ")}</p>
    );
  };
}
