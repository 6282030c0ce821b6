/* Real servers that are stricter than the standard, each counted by Message-ID. */
import { describe, expect, it } from "vitest";
import { MessageData } from "../../src/mail/message-data.ts";
import { ports } from "../support/ports.ts";
import { startRealServer } from "../support/smtp/raw-client.ts";
import { outcomesOf, settingsFor } from "../support/smtp/sending.ts";
import { openPool, ship, tally } from "../support/smtp/shipping.ts";

const LOGIN = { tls: "starttls", user: "user", password: "pass" } as const;

/** A mail with a Message-ID of its own; every third one goes to an unknown user. */
function mailOf(series: string, number: number) {
  const id = `<${series}${number}@postrider.test>`;
  const to = [`${number % 3 === 0 ? "unknown" : "known"}${number}@dest.example`];
  const text = `Subject: test\r\nMessage-ID: ${id}\r\n\r\nHello\r\n`;
  const data = new MessageData([new TextEncoder().encode(text)]);
  return { id, mail: { envelope: { from: "sender@any.test", to, smtpUtf8: false }, data } };
}

/** The Message-IDs of the mails to known users, sorted. */
const knownOf = (series: string, count: number) =>
  Array.from({ length: count }, (_, n) => n + 1)
    .filter((number) => number % 3 !== 0)
    .map((number) => mailOf(series, number).id)
    .toSorted();

describe.each(["exim", "haraka"] as const)("a real %s", (name) => {
  const test = it.runIf(ports[name] !== 0);
  const settings = settingsFor(ports[name], LOGIN);
  const received = async (series: string) => {
    const accepted = await startRealServer(name);
    return (await accepted()).filter((id) => id.startsWith(`<${series}`)).toSorted();
  };

  test("gets 300 mails in bulk once each, and its refusals harm no other mail", async () => {
    await startRealServer(name);
    const results = await ship(300, settings.port, { settings }, (n) => mailOf("w", n).mail);
    expect(tally(results)).toEqual({ "accepted at body": 200, "rejected at rcpt": 100 });
    expect(await received("w")).toEqual(knownOf("w", 300));
  });

  test("gets 60 single mails once each", async () => {
    await startRealServer(name);
    const pool = openPool({ maxConnections: 2 });
    const mails = Array.from({ length: 60 }, (_, n) =>
      pool.send(mailOf("s", n + 1).mail, { smtp: settings }),
    );
    const outcomes = (await Promise.all(mails)).flatMap(({ result }) => outcomesOf(result));
    await pool.end();
    expect(outcomes.filter((one) => one === "accepted at body")).toHaveLength(40);
    expect(outcomes.filter((one) => one === "rejected at rcpt")).toHaveLength(20);
    expect(await received("s")).toEqual(knownOf("s", 60));
  });
});
