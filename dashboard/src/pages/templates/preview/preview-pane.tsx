import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatBytes } from "../../../lib/format.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { useValuesText } from "../../../parts/values/use-values-text.ts";
import { ValueRows } from "../../../parts/values/value-rows.tsx";
import { Button } from "../../../ui/button.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { peopleQuery } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { hasDarkColors } from "./mail-frame.tsx";
import { InboxLine, MailView, ViewButtons, type Clicks, type View } from "./mail-view.tsx";
import type { Sample } from "./sample.ts";
import type { usePreview } from "./use-preview.ts";

interface PreviewPaneProps {
  projectId: string;
  state: ReturnType<typeof usePreview>;
  sample: Sample;
  onSample: (sample: Sample) => void;
  clicks: Clicks | undefined;
}

/** Previews the mail as a subscriber gets it: as HTML, on a phone, as text, and in dark mode. */
export function PreviewPane({ projectId, state, sample, onSample, clicks }: PreviewPaneProps) {
  const text = useTemplatesText();
  const { variables } = useValuesText();
  const [view, setView] = useState<View>("html");
  const [isDark, setDark] = useState(false);
  const { preview, html, error, retry, isOld } = state;
  return (
    <section
      aria-label={text.preview}
      className="flex min-w-0 flex-col gap-3 xl:sticky xl:top-4 xl:self-start"
    >
      <PersonField
        projectId={projectId}
        person={sample.personId}
        onPerson={(personId) => onSample({ ...sample, personId })}
      />
      <details>
        <summary className="cursor-pointer text-sm font-medium">{text.sampleData}</summary>
        <ValueRows
          title={variables}
          hint={text.sampleHint}
          variables={sample.variables}
          onChange={(rows) => onSample({ ...sample, variables: rows })}
        />
      </details>
      <ViewButtons view={view} onChoose={setView}>
        <Button aria-pressed={isDark} onClick={() => setDark(!isDark)}>
          {isDark ? text.darkOn : text.darkOff}
        </Button>
      </ViewButtons>
      {error && <ErrorWords error={error} onRetry={retry} />}
      <div className="overflow-hidden rounded-lg border border-line bg-surface" aria-busy={isOld}>
        <div className="flex justify-between gap-4 border-b border-line px-3 py-2 text-sm">
          <InboxLine preview={preview} />
          {preview?.bytes != null && (
            <p className="shrink-0 text-muted">{text.size(formatBytes(preview.bytes))}</p>
          )}
        </div>
        <MailView {...{ projectId, state, view, isDark, clicks }} />
      </div>
      {isDark && view !== "text" && !hasDarkColors(html) && (
        <p className="text-sm text-muted">{text.darkTurned}</p>
      )}
    </section>
  );
}

interface PersonFieldProps {
  projectId: string;
  person: string | undefined;
  onPerson: (id: string | undefined) => void;
}

/** Selects the subscriber whose data the preview uses. */
function PersonField({ projectId, person, onPerson }: PersonFieldProps) {
  const text = useTemplatesText();
  const [search, setSearch] = useState("");
  const { data, error, refetch } = useQuery(peopleQuery(projectId, useSettled(search.trim(), 300)));
  const people = data?.subscribers ?? [];
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label={text.findPerson}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <SelectField
        label={text.previewFor}
        value={people.some(({ id }) => id === person) ? person : ""}
        onChange={(event) => onPerson(event.target.value || undefined)}
      >
        <option value="">{text.nobody}</option>
        {people.map(({ id, email, name }) => (
          <option key={id} value={id}>
            {name ? `${name} <${email}>` : email}
          </option>
        ))}
      </SelectField>
      {error && <ErrorWords error={error} onRetry={() => void refetch()} />}
    </div>
  );
}
