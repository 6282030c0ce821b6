/* A single send with an Idempotency-Key, to a server that hangs. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemContext } from "../../../src/context.ts";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { MessageData } from "../../../src/mail/message-data.ts";
import { groupRecords } from "../../../src/services/mailing/group-records.ts";
import { sweepAbandoned } from "../../../src/services/mailing/operations/sweep-operations.ts";
import { sendClaimed } from "../../../src/services/mailing/sources/single/send-claimed.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { eventually, SECOND, standingClock } from "../../support/times.ts";

const LEASE_MS = 120 * SECOND;
const clock = standingClock(Date.UTC(2026, 9, 1));
const service = createService({}, { now: () => clock.now });
const owner = await service.newOwner();
const deps = await service.deps();
const ctx = systemContext(deps, "test");

describe("a send with an Idempotency-Key", () => {
  it("keeps its operation while a server hangs for longer than the lease", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const project = await owner.newProject();
    const to = parseEmailAddress("slow@any.test");
    if (!to.ok) throw new Error(to.fault.message);
    const mail = {
      logId: "log",
      to: { address: to.address, name: "" },
      subject: "Hello",
      tags: null,
      templateId: null,
      subscriberId: null,
    };
    const message = { envelope: { from: "", to: ["slow@any.test"], smtpUtf8: false } };
    const ready = {
      projectId: project.id,
      mail,
      message: { ...message, data: MessageData.fromPortable([]) },
      isSuppressed: false,
      skipped: [],
      optedOut: [],
      suppressOnAny5xx: false,
      idempotency: { key: "key", requestHash: "hash" },
    };
    const found: number[] = [];
    const hang = async () => {
      for (let times = 0; times < 2; times++) {
        clock.now += LEASE_MS - 1;
        vi.advanceTimersByTime(LEASE_MS - 1);
        const leases = () => allRows("select lease_until from send_operations");
        await eventually(async () =>
          expect(await leases()).toEqual([{ lease_until: clock.now + LEASE_MS }]),
        );
      }
      found.push(await sweepAbandoned(deps));
      const recipients = [
        { address: "slow@any.test", outcome: "accepted", phase: "body", error: "" } as const,
      ];
      return { result: { recipients, sessionUsable: true }, role: undefined };
    };
    const record = groupRecords(deps, () => 1);
    const answer = await sendClaimed(ctx, ready, { send: hang, record });
    expect([found, vi.getTimerCount()]).toEqual([[0], 0]);
    expect(answer).toEqual({ kind: "sent", id: mail.logId });
    expect(await allRows("select state, status from send_operations, logged_mails")).toEqual([
      { state: "done", status: "sent" },
    ]);
  });
});
