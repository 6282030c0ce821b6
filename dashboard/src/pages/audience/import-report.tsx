import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { saveFile } from "../../lib/save-file.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Table } from "../../ui/table.tsx";
import type { ImportAnswer } from "./list-import.ts";
import { COUNTED_OUTCOMES } from "./run-import.ts";
import { useAudienceText } from "./use-audience-text.ts";

interface ImportReportProps {
  answer: ImportAnswer;
  /** Audience of a broadcast to the imported subscribers. */
  audience: { topic_id?: string; tag?: string };
  onImport: () => void;
}

/** Reports the result of an import or a dry run, with the rejected rows as a file. */
export function ImportReport({ answer, audience, onImport }: ImportReportProps) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const { dry_run, rows, needs, sample, rejected } = answer;
  const [missing] = needs;
  const offBecause = mayNot ?? (missing && (text.needs[missing] ?? text.needsRole));
  return (
    <Card title={dry_run ? text.wouldDo(rows) : text.didDo}>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
        {COUNTED_OUTCOMES.map((name) => (
          <div key={name}>
            <dt className="text-sm text-muted">{text.counts[name]}</dt>
            <dd className="text-xl font-semibold tabular-nums">{formatNumber(answer[name])}</dd>
          </div>
        ))}
      </dl>
      {dry_run && sample.length > 0 && (
        <div className="mt-4">
          <Table
            label={text.firstRows}
            rows={sample}
            keyOf={({ email }) => email}
            columns={[
              { key: "email", head: text.email, cell: ({ email }) => email },
              { key: "name", head: text.name, isMinor: true, cell: ({ name }) => name },
              {
                key: "outcome",
                head: text.outcome,
                cell: ({ outcome }) => text.rowOutcomes[outcome],
              },
            ]}
          />
        </div>
      )}
      {rejected.length > 0 && (
        <div className="mt-4 flex flex-col gap-2">
          <Table
            label={text.rejectedRows}
            rows={rejected.slice(0, SHOWN)}
            keyOf={({ line }) => String(line)}
            columns={[
              { key: "line", head: text.line, isNumber: true, cell: ({ line }) => line },
              { key: "email", head: text.email, cell: ({ email }) => email },
              { key: "why", head: text.why, cell: ({ reason }) => text.rejections[reason] },
            ]}
          />
          <div>
            <Button onClick={() => download(rejected)}>
              {rejected.length < answer.rejected_rows
                ? text.downloadFirst(rejected.length, answer.rejected_rows)
                : text.downloadRejected}
            </Button>
          </div>
        </div>
      )}
      <div className="mt-4">
        {dry_run ? (
          <>
            <Button look="primary" offBecause={offBecause} onClick={onImport}>
              {text.importNow}
            </Button>
            {offBecause && (
              <p aria-hidden className="mt-2 text-sm text-muted">
                {offBecause}
              </p>
            )}
          </>
        ) : (
          <div className="flex flex-wrap gap-2">
            <LinkButton
              look="primary"
              to="/p/$projectId/broadcasts/new"
              params={{ projectId }}
              search={audience}
            >
              {text.writeBroadcast}
            </LinkButton>
            <LinkButton to="/p/$projectId/audience" params={{ projectId }}>
              {text.openAudience}
            </LinkButton>
          </div>
        )}
      </div>
    </Card>
  );
}

/** Maximum rejected rows on the page; the file contains all that the response lists. */
const SHOWN = 20;

/** Saves the rejected rows as CSV. Cells that look like formulas are prefixed with a quote. */
function download(rejected: ImportAnswer["rejected"]) {
  const cell = (value: string) => `"${value.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
  const lines = rejected.map(({ line, email, reason }) => `${line},${cell(email)},${reason}`);
  const csv = ["line,email,reason", ...lines].join("\r\n");
  saveFile("rejected.csv", new Blob([csv], { type: "text/csv" }));
}
