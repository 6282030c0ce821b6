import type { Api } from "../../api/client.ts";
import { formatTime } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { When } from "../../ui/when.tsx";
import { useSettingsText } from "./use-settings-text.ts";

type Sender = Api.Sending["sender"];

const POLL_MS = { busy: 2_000, idle: 10_000 };

const isBusy = ({ in_flight, waiting, work }: Sender): boolean =>
  in_flight > 0 || waiting > 0 || work !== null;

/** Returns the time until the next look at a sender. */
export const nextLookAt = (sender: Sender | undefined): number =>
  sender && isBusy(sender) ? POLL_MS.busy : POLL_MS.idle;

/** What the sender of the project is doing now. Keeps its height while that changes. */
export function SenderStatus({ sender }: { sender: Sender }) {
  const text = useSettingsText();
  const { in_flight, waiting, connections, work, next_at, cooldown } = sender;
  return (
    <Card title={text.senderNow}>
      <div className="flex min-h-24 flex-col gap-1 text-sm wrap-anywhere tabular-nums sm:min-h-16">
        <p>
          {work && text.sendingWork(work.name, in_flight, connections)}
          {!work && isBusy(sender) && text.sendingSingles(in_flight, connections)}
          {!isBusy(sender) && text.sendingNothing}
          {!isBusy(sender) && next_at !== null && (
            <>
              {" "}
              {text.sendingNext} <When at={next_at} />
            </>
          )}
        </p>
        {waiting > 0 && <p className="text-muted">{text.sendingWaits(waiting)}</p>}
        {cooldown && (
          <p className="text-warn">{text.cooldown(formatTime(cooldown.until), cooldown.error)}</p>
        )}
      </div>
    </Card>
  );
}
