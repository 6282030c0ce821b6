import { describe, expect, it } from "vitest";
import { sendOne, sendOverConnections, SmtpSession } from "../../src/mail/smtp/index.ts";
import { ports } from "../support/ports.ts";
import {
  messageTo,
  outcomesOf,
  settingsFor,
  sockets,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";

const settings = settingsFor(ports.postfix, { tls: "starttls" });

describe.runIf(ports.postfix !== 0)("Postfix", () => {
  it("takes a message over STARTTLS and says how it queued it", async () => {
    const result = await sendOne(settings, sockets, messageTo("a@dest.example"), TEST_TIMEOUTS);
    expect(outcomesOf(result)).toEqual(["accepted at body"]);
    expect(result.recipients[0]?.reply).toMatchObject({ code: 250, enhanced: "2.0.0" });
    expect(result.recipients[0]?.reply?.text).toMatch(/queued as/);
  });

  it("refuses some recipients of a pipelined group and takes the message for the others", async () => {
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

  it("goes on in the same session after a message that had no recipient left", async () => {
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

  it("ends the session with 421, which defers the message and is told to the caller", async () => {
    const session = await SmtpSession.open(settings, sockets, TEST_TIMEOUTS);
    const result = await session.send(messageTo("close421@dest.example"));
    expect(outcomesOf(result)).toEqual(["deferred at rcpt"]);
    expect(result.recipients[0]?.reply).toMatchObject({ code: 421, enhanced: "4.3.2" });
    expect(result.sessionUsable).toBe(false);
  });

  it("takes 300 messages over four sessions, each with a queue id of its own", async () => {
    let left = 300;
    const queued = new Set<string>();
    await sendOverConnections({
      settings,
      sockets,
      timeouts: TEST_TIMEOUTS,
      maxConnections: 4,
      take: () => (left-- > 0 ? messageTo(`r${left}@dest.example`, "x".repeat(4_000)) : undefined),
      settle: (_item, { recipients: [recipient] }) => {
        queued.add(`${recipient?.outcome} ${recipient?.reply?.text}`);
      },
    });
    expect(queued.size).toBe(300);
    expect([...queued].every((text) => text.startsWith("accepted Ok: queued as"))).toBe(true);
  });
});
