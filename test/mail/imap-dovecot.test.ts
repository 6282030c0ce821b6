import { describe, expect, it } from "vitest";
import { dropMessage, messageCount, newMailbox, seenCount } from "../support/imap/dovecot.ts";
import { openSession } from "../support/imap/sessions.ts";
import { ports } from "../support/ports.ts";

const port = ports.dovecot;
const text = (raw: Uint8Array | undefined) => new TextDecoder().decode(raw);
const message = (number: number) =>
  `From: MAILER-DAEMON@mx.test\r\nSubject: report ${number}\r\n\r\nGrüße (${number}) {5}\r\n`;

describe.runIf(port !== 0)("Dovecot", () => {
  it("returns unread messages oldest first and unchanged, and leaves them unread", async () => {
    const { user, password } = await newMailbox();
    for (const number of [1, 2, 3]) await dropMessage(user, "INBOX", message(number));
    const session = await openSession({ port, user, password });
    await session.select("INBOX");
    const uids = await session.searchUnseen(500);
    const messages = await session.fetch(uids, 100_000);
    await session.logout();
    expect(messages.map(({ uid }) => uid)).toEqual(uids);
    expect(messages.map(({ raw }) => text(raw))).toEqual([1, 2, 3].map(message));
    expect(await seenCount(user, "INBOX")).toBe(0);
  });

  it("marks the given messages, which stay in the folder but are not found again", async () => {
    const { user, password } = await newMailbox();
    for (const number of [1, 2, 3]) await dropMessage(user, "INBOX", message(number));
    const session = await openSession({ port, user, password });
    await session.select("INBOX");
    const [first = 0, second = 0, third = 0] = await session.searchUnseen(3);
    await session.markSeen([first, third, 4_000_000]);
    expect(await session.searchUnseen(3)).toEqual([second]);
    await session.logout();
    expect(await seenCount(user, "INBOX")).toBe(2);
    expect(await messageCount(user, "INBOX")).toBe(3);
  });

  it("returns only the beginning of a long message, and no more messages than the limit", async () => {
    const { user, password } = await newMailbox();
    for (const number of [1, 2, 3]) {
      await dropMessage(user, "INBOX", `${message(number)}${"long ".repeat(50_000)}`);
    }
    const session = await openSession({ port, user, password });
    await session.select("INBOX");
    const uids = await session.searchUnseen(2);
    const messages = await session.fetch(uids, 1_000);
    await session.logout();
    expect(uids).toHaveLength(2);
    expect(messages.map(({ raw }) => raw.length)).toEqual([1_000, 1_000]);
  });

  it.each([
    ["Bounced mail", "Bounced mail"],
    ['a "quoted" & back\\slash', 'a "quoted" &- back\\slash'],
    ["Rückläufer", "R&APw-ckl&AOQ-ufer"],
    ["返信 😀", "&j9RP4Q- &2D3eAA-"],
  ])("opens the folder %s", async (folder, inImap) => {
    const { user, password } = await newMailbox();
    await dropMessage(user, inImap, message(7));
    const session = await openSession({ port, user, password });
    await session.select(folder);
    const messages = await session.fetch(await session.searchUnseen(5), 1_000);
    await session.logout();
    expect(messages.map(({ raw }) => text(raw))).toEqual([message(7)]);
  });

  it("reports a rejected login", async () => {
    const { user } = await newMailbox();
    await expect(openSession({ port, user, password: "wrong" })).rejects.toMatchObject({
      fault: "login",
      message: "the server refused the login: Authentication failed.",
    });
  });

  it("reports a missing folder, and the session continues", async () => {
    const { user, password } = await newMailbox();
    const session = await openSession({ port, user, password });
    await expect(session.select("Nowhere")).rejects.toMatchObject({
      fault: "folder",
      message: 'the folder "Nowhere" does not exist',
    });
    await session.select("INBOX");
    expect(await session.searchUnseen(1)).toEqual([]);
    await session.logout();
  });

  it("is polled for 100 reports in one session", async () => {
    const { user, password } = await newMailbox();
    const report = `${message(0)}${"Diagnostic-Code: smtp; 550 5.1.1 unknown\r\n".repeat(100)}`;
    await Promise.all(Array.from({ length: 100 }, () => dropMessage(user, "INBOX", report)));
    const session = await openSession({ port, user, password });
    await session.select("INBOX");
    const uids = await session.searchUnseen(500);
    const messages = await session.fetch(uids, 65_536);
    await session.markSeen(uids);
    await session.logout();
    expect(messages).toHaveLength(100);
    expect(await seenCount(user, "INBOX")).toBe(100);
  });
});
