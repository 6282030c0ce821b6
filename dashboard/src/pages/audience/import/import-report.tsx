import { textOf } from "../../../parts/fields/field-values.ts";
import { useProject } from "../../../api/projects.ts";
import { formatNumber } from "../../../lib/format.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { Address } from "../../../ui/address.tsx";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { Table } from "../../../ui/table.tsx";
import type { ImportPlan } from "./import-mapping.tsx";
import type { ImportAnswer } from "./list-import.ts";
import { useImportText } from "./use-import-text.ts";

interface ImportReportProps {
  answer: ImportAnswer;
  plan: ImportPlan;
  /** Undefined before the import. */
  importId: string | undefined;
  onBack: () => void;
  onImport: () => void;
}

/** Reports the result of an import or its preview, with the rejected rows as a file. */
export function ImportReport({ answer, plan, importId, onBack, onImport }: ImportReportProps) {
  const text = useImportText();
  const { dry_run, rows, sample, rejected } = answer;
  const labels = plan.fields.map(({ label }) => label);
  return (
    <Card title={dry_run ? text.wouldDo(rows) : text.didDo}>
      <div className="flex flex-col gap-4">
        <Counts answer={answer} />
        {dry_run && labels.length > 0 && <p>{text.newFields(labels.length, labels.join(", "))}</p>}
        {dry_run && sample.length > 0 && (
          <Table
            label={text.firstRows}
            rows={sample}
            keyOf={({ email }) => email}
            columns={[
              { key: "email", head: text.email, cell: ({ email }) => <Address>{email}</Address> },
              { key: "name", head: text.name, isMinor: true, cell: ({ name }) => name },
              ...plan.columns
                .filter(({ key }) => sample.some(({ metadata }) => key in metadata))
                .map(({ key, label }) => ({
                  key: `field:${key}`,
                  head: label,
                  isMinor: true,
                  cell: ({ metadata }: (typeof sample)[number]) => textOf(metadata[key]),
                })),
              {
                key: "outcome",
                head: text.outcome,
                cell: ({ outcome }) => text.rowOutcomes[outcome],
              },
            ]}
          />
        )}
        {rejected.length > 0 && (
          <>
            <Table
              label={text.rejectedRows}
              rows={rejected.slice(0, SHOWN)}
              keyOf={({ line }) => String(line)}
              columns={[
                { key: "line", head: text.line, isNumber: true, cell: ({ line }) => line },
                { key: "email", head: text.email, cell: ({ email }) => <Address>{email}</Address> },
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
          </>
        )}
        {importId ? (
          <NextSteps importId={importId} />
        ) : (
          <Decision answer={answer} onBack={onBack} onImport={onImport} />
        )}
      </div>
    </Card>
  );
}

/** The number of people by what happens to them, and of skipped rows by reason. */
function Counts({ answer }: { answer: ImportAnswer }) {
  const text = useImportText();
  const { imported, unsubscribed, suppressed, skipped, duplicates, ignored } = answer;
  const left = skipped + ignored + answer.rejected_rows;
  const counts = { imported, unsubscribed, suppressed, left };
  const names = (["imported", "unsubscribed", "suppressed", "left"] as const).filter(
    (name) => name === "imported" || counts[name] > 0,
  );
  const reasons = new Map<string, number>();
  for (const { reason } of answer.rejected)
    reasons.set(text.rejections[reason], (reasons.get(text.rejections[reason]) ?? 0) + 1);
  const why = [
    [text.alreadyThere, skipped - duplicates] as const,
    [text.inFileTwice, duplicates] as const,
    [text.ignoredRows, ignored] as const,
    ...reasons,
  ].filter(([, count]) => count > 0);
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {names.map((name) => (
          <div key={name}>
            <dt className="text-sm text-muted">
              {name === "imported" && answer.dry_run ? text.willBeAdded : text.counts[name]}
            </dt>
            <dd className="text-xl font-semibold tabular-nums">{formatNumber(counts[name])}</dd>
          </div>
        ))}
      </dl>
      {why.length > 0 && (
        <ul aria-label={text.counts.left} className="text-sm text-muted">
          {why.map(([reason, count]) => (
            <li key={reason}>
              {formatNumber(count)} {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Decision({
  answer,
  onBack,
  onImport,
}: Pick<ImportReportProps, "answer" | "onBack" | "onImport">) {
  const text = useImportText();
  const mayNot = useMayNot("subscribers:write");
  const needsRole = answer.needs.includes("suppressions:write") ? text.needsRole : undefined;
  const offBecause = mayNot ?? needsRole;
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" offBecause={offBecause} onClick={onImport}>
          {text.importNow}
        </Button>
        <Button onClick={onBack}>{text.changeColumns}</Button>
      </div>
      {offBecause && (
        <p aria-hidden className="mt-2 text-sm text-muted">
          {offBecause}
        </p>
      )}
    </div>
  );
}

/** What to do with the people of a finished import. */
function NextSteps({ importId }: { importId: string }) {
  const text = useImportText();
  const { id: projectId } = useProject();
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton
        look="primary"
        to="/p/$projectId/broadcasts/new"
        params={{ projectId }}
        search={{ where: `import:${importId}` }}
      >
        {text.writeBroadcast}
      </LinkButton>
      <LinkButton to="/p/$projectId/audience" params={{ projectId }} search={{ import: importId }}>
        {text.seePeople}
      </LinkButton>
    </div>
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
