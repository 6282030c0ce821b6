import { useQuery } from "@tanstack/react-query";
import { Download } from "../../../ui/action-icons.tsx";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { download } from "../../../api/download.ts";
import { useProject } from "../../../api/projects.ts";
import { formatPercent } from "../../../lib/format.ts";
import { healthQuery } from "../../overview/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../../ui/not-allowed.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ProjectImport } from "./project-import.tsx";
import { RowCounts } from "./row-counts.tsx";
import { SettingsFrame } from "../settings-frame.tsx";
import { useDataText } from "./use-data-text.ts";
import { useSettingsText } from "../use-settings-text.ts";

/** The data that a project holds, and its export and import. */
export function DataPage() {
  const { data: title } = useSettingsText();
  const text = useDataText();
  const { id: projectId } = useProject();
  return (
    <SettingsFrame title={title} lead={text.dataLead}>
      <RoleNotice capability="projects:write" />
      {/* content that loads is below the buttons, so that they do not move under the pointer */}
      <ExportCard key={projectId} />
      <ProjectImport key={projectId} />
      <Holdings />
      <Storage />
    </SettingsFrame>
  );
}

/** Counts of the project's data, each from its own list. */
function Holdings() {
  const text = useDataText();
  const { id: projectId } = useProject();
  const counts = useQuery({
    queryKey: ["project", projectId, "holdings"],
    queryFn: async ({ signal }) => {
      const one = { projectId, limit: 1 };
      const [people, suppressions, topics, segments, templates, mails] = await Promise.all([
        api.projects.subscribers.list(one, { signal }),
        api.projects.suppressions.list(one, { signal }),
        api.projects.topics.list({ projectId }, { signal }),
        api.projects.segments.list({ projectId }, { signal }),
        api.projects.templates.list({ projectId, fields: "summary" }, { signal }),
        api.projects.logs.list(one, { signal }),
      ]);
      return {
        subscribers: people.total ?? 0,
        suppressions: suppressions.total ?? 0,
        topics: topics.topics.length,
        segments: segments.segments.length,
        templates: templates.length,
        email_log: mails.total ?? 0,
      };
    },
  });
  return (
    <Card title={text.holds}>
      <Loaded query={counts} lines={3}>
        {(rows) => <RowCounts rows={rows} />}
      </Loaded>
    </Card>
  );
}

/** Storage level of the database, and retention of its log. */
function Storage() {
  const text = useDataText();
  const health = useQuery(healthQuery);
  return (
    <Card title={text.storage}>
      <Loaded query={health} lines={2}>
        {({ storage: { level, used_pct, log_retention_days } }) => (
          <div className="flex flex-col gap-2">
            <p>
              {used_pct === null ? text.fillUnknown : text.fill(formatPercent(used_pct))}{" "}
              {log_retention_days > 0 ? text.logKept(log_retention_days) : text.logKeptForEver}
            </p>
            {level in text.storageLevels && (
              <Notice tone="warn">{text.storageLevels[level]}</Notice>
            )}
            <p className="text-sm text-muted">{text.bounds}</p>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function ExportCard() {
  const text = useDataText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const [error, setError] = useState<Error>();
  const save = () => {
    setError(undefined);
    download(`projects/${projectId}/export`, setError);
  };
  return (
    <Card title={text.exportProject}>
      <p className="mb-3 max-w-2xl text-muted">{text.exportWords}</p>
      <div className="flex flex-col gap-2">
        {error && <ErrorWords error={error} onRetry={save} />}
        <div>
          <Button offBecause={mayNot} onClick={save}>
            <Download aria-hidden className="size-4" />
            {text.downloadExport}
          </Button>
        </div>
      </div>
    </Card>
  );
}
