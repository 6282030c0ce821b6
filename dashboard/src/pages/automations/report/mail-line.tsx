import { formatPercent } from "../../../lib/format.ts";
import type { StepReport } from "./queries.ts";
import { useReportText } from "./use-report-text.ts";

/** The emails of a step in one line: how many were sent, and what came of them. */
export function MailLine({ mails }: { mails: NonNullable<StepReport["mails"]> }) {
  const text = useReportText();
  const rate = (part: number) => formatPercent(mails.sent === 0 ? 0 : (part / mails.sent) * 100);
  const { unsubscribed, bounced, failed, unknown, suppressed } = mails;
  return [
    text.sent(mails.sent),
    ...(mails.sent > 0
      ? [text.opened(rate(mails.opened_human)), text.clicked(rate(mails.clicked_human))]
      : []),
    ...(unsubscribed > 0 ? [text.unsubscribed(unsubscribed)] : []),
    ...(bounced > 0 ? [text.bounced(bounced)] : []),
    ...(failed + unknown > 0 ? [text.failed(failed + unknown)] : []),
    ...(suppressed > 0 ? [text.suppressed(suppressed)] : []),
  ].join(" · ");
}
