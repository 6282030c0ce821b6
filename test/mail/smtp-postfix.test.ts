import { describe, expect, it } from "vitest";
import { sendOverConnections, SmtpSession } from "../../src/mail/smtp/index.ts";
import { ports } from "../support/ports.ts";
import {
  messageTo,
  outcomesOf,
  sendAndLeave,
  settingsFor,
  sockets,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";

const settings = settingsFor(ports.postfix, { tls: "starttls" });

describe.runIf(ports.postfix !== 0)("Postfix", () => {
  it("accepts a message over STARTTLS and returns its queue id", async () => {
    const result = await sendAndLeave(settings, messageTo("a@dest.example"), TEST_TIMEOUTS);
    expect(outcomesOf(result)).toEqual(["accepted at body"]);
    expect(result.recipients[0]?.reply).toMatchObject({ code: 250, enhanced: "2.0.0" });
    expect(result.recipients[0]?.reply?.text).toMatch(/queued as/);
  });

  it("rejects some recipients of a pipelined group and accepts the message for the others", async () => {
    const to = [
      "a@dest.example",
      "bad550@dest.example",
      "tmp451@dest.example",
      "jörg@dest.example",
    ];
    const session = await SmtpSession.open(settings, sockets, TEST_TIMEOUTS);
    const result = await session.send(messageTo(to, ".Grüße\r\n"), messageTo("b@dest.example"));
    await session.quit();
    expect(outcomesOf(result)).toEqual([
      "accepted at body",
      "rejected at rcpt",
      "deferred at rcpt",
      "accepted at body",
    ]);
    expect(result.recipients[1]?.reply).toMatchObject({ code: 550, enhanced: "5.1.1" });
  });

  it("continues the session after a message that had no recipient left", async () => {
    const session = await SmtpSession.open(settings, sockets, TEST_TIMEOUTS);
    const messages = ["a", "bad550", "tmp451", "bad550", "b"].map((name) =>
      messageTo(`${name}@dest.example`),
    );
    const outcomes = [];
    for (const [index, message] of messages.entries()) {
      outcomes.push(...outcomesOf(await session.send(message, messages[index + 1])));
    }
    await session.quit();
    expect(outcomes).toEqual([
      "accepted at body",
      "rejected at rcpt",
      "deferred at rcpt",
      "rejected at rcpt",
      "accepted at body",
    ]);
  });

  it("ends the session with 421, which defers the message and is reported to the caller", async () => {
    const session = await SmtpSession.open(settings, sockets, TEST_TIMEOUTS);
    const result = await session.send(messageTo("close421@dest.example"));
    expect(outcomesOf(result)).toEqual(["deferred at rcpt"]);
    expect(result.recipients[0]?.reply).toMatchObject({ code: 421, enhanced: "4.3.2" });
    expect(result.sessionUsable).toBe(false);
  });

  it("accepts 500 messages over four sessions, once each, by CHUNKING", async () => {
    let taken = 0;
    const queued: string[] = [];
    const outcomes: Record<string, number> = {};
    await sendOverConnections({
      settings,
      sockets,
      timeouts: TEST_TIMEOUTS,
      maxConnections: 4,
      take: () => {
        if (taken === 500) return undefined;
        taken += 1;
        const to = [`r${taken}@dest.example`, "bad550@dest.example"];
        return messageTo(taken % 10 === 0 ? "tmp451@dest.example" : to, "x".repeat(4_000));
      },
      settle: (_item, result) => {
        for (const outcome of outcomesOf(result)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        const { reply } = result.recipients[0] ?? {};
        if (reply?.code === 250) queued.push(reply.text);
      },
    });
    expect(outcomes).toEqual({
      "accepted at body": 450,
      "rejected at rcpt": 450,
      "deferred at rcpt": 50,
    });
    expect(new Set(queued).size).toBe(450);
    // The words of its answer to BDAT; its answer to DATA has no size.
    expect(queued.filter((text) => /^Ok: \d+ bytes queued as \w+$/.test(text))).toHaveLength(450);
  });
});
