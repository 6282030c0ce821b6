/* Batches that mix visits: opens of some mails, clicks of others, hours, and links in a hurry. */
import { describe, expect, it } from "vitest";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { createService } from "../../support/service.ts";
import {
  clickRows,
  HOUR_MS,
  logRow,
  newMails,
  SENT_AT,
  totals,
  trackingEvent,
  URL_A,
  URL_B,
} from "../../support/tracking/mails.ts";

const service = createService({ WEBHOOK_QUEUE });
const deps = await service.deps();

describe("a batch of visits", () => {
  it("marks mails as opened only if they were opened, not if they only had a click", async () => {
    const { projectId, logIds } = await newMails(deps, 2);
    const [opened = "", clicked = ""] = logIds;
    const hook = await newWebhook(projectId, ["email.opened"]);
    await recordEvents(deps, [
      trackingEvent("click", clicked, SENT_AT + 60_000),
      trackingEvent("open", opened, SENT_AT + 61_000),
    ]);
    expect((await hook.payloads()).map(({ data }) => data["log_id"])).toEqual([opened]);
    expect(await logRow(deps, clicked)).toMatchObject({
      clicked_at: SENT_AT + 60_000,
      opened_at: null,
      opened_class: null,
      opened_user_agent: null,
      opened_ip: null,
    });
    expect(await totals(deps, projectId)).toEqual({ opened: 1, clicked: 1 });
  });

  it("counts a click in its own hour, regardless of the next one", async () => {
    const { logId } = await newMails(deps, 1);
    const hour = SENT_AT - (SENT_AT % HOUR_MS) + 2 * HOUR_MS;
    const full = Array.from({ length: 20 }, (_, n) =>
      trackingEvent("click", logId, hour + n * 60_000),
    );
    await recordEvents(deps, full);
    await recordEvents(deps, [trackingEvent("click", logId, hour - 1)]);
    expect(await clickRows(deps, logId)).toHaveLength(21);
  });

  it("treats clicks on two links within two seconds as a scanner's, but no others", async () => {
    const { logId } = await newMails(deps, 1);
    const at = (ms: number) => SENT_AT + 60_000 + ms;
    await recordEvents(deps, [
      trackingEvent("click", logId, at(0), URL_A),
      trackingEvent("click", logId, at(3_800), URL_B),
      trackingEvent("click", logId, at(1_900), URL_B),
    ]);
    const classes = (await clickRows(deps, logId)).map((row) => [row["clicked_at"], row["class"]]);
    expect(Object.fromEntries(classes)).toEqual({
      [at(0)]: "scanner",
      [at(1_900)]: "scanner",
      [at(3_800)]: "human",
    });
  });
});
