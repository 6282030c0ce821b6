import { describe, expect, it } from "vitest";
import { SmtpSession } from "../../src/mail/smtp/index.ts";
import { ports } from "../support/ports.ts";
import {
  messageTo,
  outcomesOf,
  sendAndLeave,
  settingsFor,
  sockets,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";
import { ship, tally } from "../support/smtp/shipping.ts";

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
    const result = await session.send(messageTo(to, ".Grüße\r\n"), () =>
      messageTo("b@dest.example"),
    );
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
      outcomes.push(...outcomesOf(await session.send(message, () => messages[index + 1])));
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
    const make = (number: number) => {
      const to = [`r${number}@dest.example`, "bad550@dest.example"];
      return messageTo(number % 10 === 0 ? "tmp451@dest.example" : to, "x".repeat(4_000));
    };
    const results = await ship(500, settings.port, { settings }, make);
    const replies = [...results.values()].map(({ recipients: [first] }) => first?.reply);
    const queued = replies.flatMap((reply) => (reply?.code === 250 ? reply.text : []));
    expect(tally(results)).toEqual({
      "accepted at body": 450,
      "rejected at rcpt": 450,
      "deferred at rcpt": 50,
    });
    expect(new Set(queued).size).toBe(450);
    // The words of its answer to BDAT; its answer to DATA has no size.
    expect(queued.filter((text) => /^Ok: \d+ bytes queued as \w+$/.test(text))).toHaveLength(450);
  });
});
