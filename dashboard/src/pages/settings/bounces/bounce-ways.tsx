import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { BounceMailbox } from "./bounce-mailbox.tsx";
import { bounceSettingsQuery, mailboxQuery, providerKeysQuery } from "./bounce-queries.ts";
import { BounceUrl } from "./bounce-url.tsx";
import { ReturnPath } from "./return-path.tsx";
import { useBouncesText } from "./use-bounces-text.ts";

const TONES = {
  working: "good",
  failing: "bad",
  set: "accent",
  ready: "neutral",
  missing: "neutral",
} as const;

type State = keyof typeof TONES;

/** The ways in which a project learns of bounces: the state of each, and its settings. */
export function BounceWays() {
  const text = useBouncesText();
  const { id: projectId, smtp_host } = useProject();
  const mailbox = useQuery(mailboxQuery(projectId)).data?.value;
  const settings = useQuery(bounceSettingsQuery(projectId)).data?.value;
  const keys = useQuery(providerKeysQuery(projectId)).data;
  const hasKey = keys && Object.entries(keys).some(([name, key]) => name !== "proof" && !!key);
  const replies = smtp_host === null ? "missing" : "working";
  const routing = settings && (settings.return_path === null ? "missing" : "set");
  return (
    <Card title={text.bounceWays} hint={text.bounceWaysWords}>
      <ul className="-my-3">
        <li className="py-3 ps-4.5">
          <WayHead {...text.ways.replies} state={replies} />
        </li>
        <Way {...text.ways.mailbox} state={mailbox && stateOf(mailbox)}>
          <BounceMailbox />
        </Way>
        <Way {...text.ways.routing} state={routing}>
          <ReturnPath />
        </Way>
        <Way {...text.ways.provider} state={keys && (hasKey ? "set" : "ready")}>
          <BounceUrl />
        </Way>
      </ul>
    </Card>
  );
}

function stateOf({ enabled, last_error, last_polled_at }: Api.BounceMailbox): State {
  if (!enabled) return "missing";
  if (last_error) return "failing";
  return last_polled_at === null ? "set" : "working";
}

interface WayHeadProps {
  title: string;
  words: string;
  state: State | undefined;
}

function WayHead({ title, words, state }: WayHeadProps) {
  const text = useBouncesText();
  return (
    <span className="flex flex-1 flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <span className="max-w-2xl">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-muted">{words}</span>
      </span>
      {state && <Badge tone={TONES[state]}>{text.wayStates[state]}</Badge>}
    </span>
  );
}

const Way = ({ children, ...head }: WayHeadProps & { children: ReactNode }) => (
  <li className="border-t border-line">
    <details open={head.state === "failing" || undefined}>
      <summary className="py-3">
        <WayHead {...head} />
      </summary>
      <div className="pt-1 pb-6 ps-4.5">{children}</div>
    </details>
  </li>
);
