import { Link } from "@tanstack/react-router";
import { useProject } from "../../api/projects.ts";
import { given } from "../../lib/search-params.ts";
import { VIEWS } from "./routes.ts";
import { useAutomationsText } from "./use-automations-text.ts";

interface TabsProps {
  automationId: string;
  /** Undefined for the steps. */
  view: (typeof VIEWS)[number] | undefined;
  /** True once there may be something to report. */
  isStarted: boolean;
}

/** Links to the views of an automation. */
export function Tabs({ automationId, view, isStarted }: TabsProps) {
  const text = useAutomationsText();
  const { id: projectId } = useProject();
  const shown = isStarted ? VIEWS : VIEWS.filter((one) => one !== "report");
  return (
    <nav aria-label={text.title} className="tabs">
      {[undefined, ...shown].map((one) => (
        <Link
          key={one ?? "steps"}
          to="/p/$projectId/automations/$automationId"
          params={{ projectId, automationId }}
          search={given({ view: one })}
          aria-current={one === view ? "page" : undefined}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {text.views[one ?? "steps"]}
        </Link>
      ))}
    </nav>
  );
}
