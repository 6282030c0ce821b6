import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { versioned, type Versioned } from "../../api/versioned.ts";
import { formatExact, formatNumber } from "../../lib/format.ts";
import { ServerForm } from "../../parts/sending-server/server-form.tsx";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { Card } from "../../ui/card.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SenderCheck } from "./sender-check.tsx";
import { nextLookAt, SenderStatus } from "./sender-status.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSaving } from "./use-saving.ts";
import { useSettingsText } from "./use-settings-text.ts";

type Sending = Api.Sending;

const sendingQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "sending", "version"],
    queryFn: ({ signal }) =>
      versioned((onResponse) => api.projects.sending.get({ projectId }, { signal, onResponse })),
    refetchInterval: ({ state }) => nextLookAt(state.data?.value.sender), // of a visible page
  });

/** The SMTP server, what the sender does, the limits, and the sender check. */
export function SendingPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const sending = useQuery(sendingQuery(projectId));
  return (
    <SettingsFrame title={text.sending} lead={text.sendingLead}>
      <RoleNotice capability="projects:write" />
      <Card title={text.server}>
        <ServerForm key={projectId} onSaved={() => showToast(text.saved)} />
      </Card>
      <Loaded query={sending} lines={5}>
        {(data) => (
          <>
            <SenderStatus sender={data.value.sender} />
            <Limits key={projectId} stored={data} />
          </>
        )}
      </Loaded>
      <SenderCheck />
    </SettingsFrame>
  );
}

const LIMITS = [
  "max_connections",
  "max_per_second",
  "max_per_hour",
  "max_per_day",
  "max_per_domain_per_minute",
] as const;

function Limits({ stored }: { stored: Versioned<Sending> }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const edit = useSettingsEdit(stored, {
    queryKey: sendingQuery(projectId).queryKey,
    fieldsOf: (sending): Record<(typeof LIMITS)[number], number> => ({
      max_connections: sending.max_connections,
      max_per_second: sending.max_per_second ?? 0,
      max_per_hour: sending.max_per_hour ?? 0,
      max_per_day: sending.max_per_day ?? 0,
      max_per_domain_per_minute: sending.max_per_domain_per_minute ?? 0,
    }),
    put: (limits, options) => {
      const set = Object.entries(limits).filter(([, limit]) => limit > 0);
      return api.projects.sending.save({ projectId, body: Object.fromEntries(set) }, options);
    },
  });
  const save = useSaving(["project", projectId, "sending"], edit.store);
  const problems = problemsOf(save.error);
  const { used, learned } = stored.value;
  return (
    <Card title={text.limits} hint={text.used(used.last_hour, used.last_day)}>
      {[learned.connections, learned.per_minute].map(
        (lesson) =>
          lesson && (
            <Notice key={`${lesson.at} ${lesson.limit}`} tone="warn">
              {text.learned(formatNumber(lesson.limit), formatExact(lesson.at))} {lesson.why}
            </Notice>
          ),
      )}
      <SettingsForm
        edit={edit}
        save={save}
        offBecause={mayNot}
        layout="grid max-w-3xl gap-4 sm:grid-cols-2"
      >
        {LIMITS.map((name) => (
          <NumberField
            key={name}
            label={text.limitNames[name]}
            {...(name === "max_connections" ? { min: 1 } : { none: text.noLimit })}
            value={edit.fields[name]}
            error={problems[name]}
            onChange={(number) => edit.change({ [name]: number })}
          />
        ))}
        <p className="text-sm text-muted sm:col-span-2">{text.limitsHint}</p>
      </SettingsForm>
    </Card>
  );
}
