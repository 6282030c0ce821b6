import { Fragment } from "react";
import { formatPercent } from "../../../lib/format.ts";
import { TextLink } from "../../../ui/button.tsx";
import type { StepReport } from "./queries.ts";
import { useReportText } from "./use-report-text.ts";

interface MailLineProps {
  projectId: string;
  automationId: string;
  step: string;
  mails: NonNullable<StepReport["mails"]>;
}

/** The emails of a step in one line: how many were sent, and what came of them, with links to the log. */
export function MailLine({ projectId, automationId, step, mails }: MailLineProps) {
  const text = useReportText();
  const rate = (part: number) => formatPercent(mails.sent === 0 ? 0 : (part / mails.sent) * 100);
  const { sent, unsubscribed, bounced, failed, unknown, suppressed } = mails;
  const logged = (status: "sent" | "bounced" | "failed" | "suppressed", words: string) => (
    <TextLink
      to="/p/$projectId/log"
      params={{ projectId }}
      search={{ automation_id: automationId, step_id: step, status }}
    >
      {words}
    </TextLink>
  );
  const parts = [
    sent > 0 ? logged("sent", text.sent(sent)) : text.sent(sent),
    sent > 0 && text.opened(rate(mails.opened_human)),
    sent > 0 && text.clicked(rate(mails.clicked_human)),
    unsubscribed > 0 && text.unsubscribed(unsubscribed),
    bounced > 0 && logged("bounced", text.bounced(bounced)),
    failed + unknown > 0 && logged("failed", text.failed(failed + unknown)),
    suppressed > 0 && logged("suppressed", text.suppressed(suppressed)),
  ].filter((part) => part !== false);
  return parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && " · "}
      {part}
    </Fragment>
  ));
}
