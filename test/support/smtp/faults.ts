/* Servers with one fault each, byte for byte; raw-script.ts defines the language. */
import type { RawScript, RawStep } from "./raw-script.ts";

const close: RawStep = { close: true };
const PIPELINING = { offers: ["PIPELINING", "8BITMIME"] };
const HUGE_LINE_BYTES = 100_000;

/** Plain servers; tests reach them in TLS mode "loopback". */
export const FAULTS = {
  closesAtConnect: { rules: [{ on: "connect", steps: [close] }] },
  closesAfterEhlo: { rules: [{ on: "EHLO", steps: [close] }] },
  closesAtMail: { ...PIPELINING, rules: [{ on: "MAIL", steps: [close] }] },
  closesAtRcpt: { ...PIPELINING, rules: [{ on: "RCPT", steps: [close] }] },
  closesAfterData: {
    ...PIPELINING,
    rules: [{ on: "DATA", steps: [{ send: "354 go ahead\r\n" }, close] }],
  },
  closesAfterFinalDot: { ...PIPELINING, rules: [{ on: "body", steps: [close] }] },
  silentAtConnect: { rules: [{ on: "connect", steps: [] }] },
  silentAtRcpt: { ...PIPELINING, rules: [{ on: "RCPT", steps: [] }] },
  silentAfterFinalDot: { ...PIPELINING, rules: [{ on: "body", steps: [] }] },
  dripsGreeting: {
    rules: [{ on: "connect", steps: [{ send: "2".repeat(4_000), chunkBytes: 1, everyMs: 20 }] }],
  },
  dripsReplyToMail: {
    ...PIPELINING,
    rules: [{ on: "MAIL", steps: [{ send: "250-".repeat(900), chunkBytes: 1, everyMs: 20 }] }],
  },
  splitsEveryReply: {
    offers: ["PIPELINING", "8BITMIME", "AUTH PLAIN LOGIN"],
    rules: [
      { on: "connect", steps: [{ send: "220-raw\r\n220 ready\r\n", chunkBytes: 1 }] },
      { on: "MAIL", steps: [{ send: "250-2.1.0 one\r\n250 2.1.0 two\r\n", chunkBytes: 1 }] },
      { on: "body", steps: [{ send: "250-2.0.0 taken\r\n250 2.0.0 as 17\r\n", chunkBytes: 3 }] },
    ],
  },
  sendsHugeLine: {
    ...PIPELINING,
    rules: [{ on: "MAIL", steps: [{ send: `250 ${"x".repeat(HUGE_LINE_BYTES)}\r\n` }] }],
  },
  neverEndsReply: {
    ...PIPELINING,
    rules: [{ on: "body", steps: [{ send: "250-more\r\n".repeat(HUGE_LINE_BYTES / 10) }] }],
  },
  changesCodeInReply: {
    ...PIPELINING,
    rules: [{ on: "MAIL", steps: [{ send: "250-2.1.0 ok\r\n550 5.7.1 no\r\n" }] }],
  },
  answersNonsense: {
    ...PIPELINING,
    rules: [{ on: "MAIL", steps: [{ send: "HTTP/1.1 400\r\n" }] }],
  },
  closes421AtGreeting: {
    rules: [{ on: "connect", steps: [{ send: "421 4.3.2 too busy\r\n" }, close] }],
  },
  closes421AtMail: {
    ...PIPELINING,
    rules: [{ on: "MAIL", steps: [{ send: "421 4.7.0 slow down\r\n" }, close] }],
  },
  closes421AfterFinalDot: {
    ...PIPELINING,
    rules: [{ on: "body", steps: [{ send: "421 4.3.2 shutting down\r\n" }, close] }],
  },
  says354WithoutRecipient: {
    ...PIPELINING,
    rules: [
      { on: "RCPT TO:<no", steps: [{ send: "550 5.1.1 unknown\r\n" }] },
      { on: "body", steps: [{ send: "554 5.5.1 no valid recipients\r\n" }], connection: 1 },
    ],
  },
  offersNoPlainOrLogin: { offers: ["AUTH CRAM-MD5 XOAUTH2"] },
  refusesLogin: {
    offers: ["AUTH PLAIN"],
    rules: [{ on: "AUTH", steps: [{ send: "535 5.7.8 wrong password\r\n" }] }],
  },
  hasNoStartTls: PIPELINING,
  refusesStartTls: {
    offers: ["STARTTLS"],
    rules: [{ on: "STARTTLS", steps: [{ send: "454 4.7.0 TLS not available\r\n" }] }],
  },
  injectsBeforeTls: {
    offers: ["STARTTLS"],
    rules: [
      {
        on: "STARTTLS",
        steps: [{ send: "220 go ahead\r\n250 forged\r\n" }, { startTls: "trusted" }],
      },
    ],
  },
  hasWrongCertificate: {
    offers: ["STARTTLS"],
    rules: [{ on: "STARTTLS", steps: [{ send: "220 go ahead\r\n" }, { startTls: "untrusted" }] }],
  },
  hasWrongImplicitCertificate: { tls: "untrusted" },
  closesInHandshake: {
    offers: ["STARTTLS"],
    rules: [{ on: "STARTTLS", steps: [{ send: "220 go ahead\r\n" }, close] }],
  },
  closesAfterHandshake: {
    offers: ["STARTTLS"],
    rules: [{ on: "EHLO", skip: 1, steps: [close] }],
  },
} satisfies Record<string, RawScript>;

/** Server that closes each connection after `messages` accepted messages, with or without a 421. */
export function closesAfterMessages(
  messages: number,
  farewell: "" | "421 4.7.0 enough\r\n",
): RawScript {
  const steps: RawStep[] = farewell === "" ? [close] : [{ send: farewell }, close];
  return { ...PIPELINING, rules: [{ on: "MAIL", skip: messages, steps }] };
}
