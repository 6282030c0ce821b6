/*
 * The German words of the dashboard for what the tests of mail servers find: every sentence that the service says has some.
 */
import { describe, expect, it } from "vitest";
import { germanConnection } from "../../dashboard/src/parts/sending-server/german-connection.ts";
import { germanRemedy, germanStep } from "../../dashboard/src/parts/sending-server/german-steps.ts";
import { checkReach } from "../../src/mail/diagnosis/check-reach.ts";
import { diagnoseMailbox } from "../../src/mail/diagnosis/diagnose-imap.ts";
import { explainTls } from "../../src/mail/diagnosis/explain-tls.ts";
import { imapRemedy, PLAIN_TEXT_REMEDY } from "../../src/mail/diagnosis/imap-remedies.ts";
import {
  mailRemedy,
  openingRemedy,
  otherPortRemedy,
  PLAIN_TEXT_REMEDY as SMTP_PLAIN_TEXT_REMEDY,
} from "../../src/mail/diagnosis/smtp-remedies.ts";
import { StepLog, type Step } from "../../src/mail/diagnosis/step-log.ts";
import { ImapError, type ImapFault } from "../../src/mail/imap/imap-error.ts";
import { ConnectionError } from "../../src/mail/net/connection-error.ts";
import type { Peek } from "../../src/mail/net/peek-certificate.ts";
import type { OpeningStep } from "../../src/mail/smtp/connect-error.ts";
import { SmtpConnectError, type RecipientResult } from "../../src/mail/smtp/index.ts";
import { openSession } from "../../src/mail/smtp/opening.ts";
import type { ImapScript } from "../support/imap/script.ts";
import { startImapServer } from "../support/imap/sessions.ts";
import { DOH_URL } from "../support/resolver.ts";
import { startRawServer } from "../support/smtp/raw-client.ts";
import type { RawScript } from "../support/smtp/raw-script.ts";
import { settingsFor, sockets, TEST_TIMEOUTS } from "../support/smtp/sending.ts";

/** Words that no German text has. */
const ENGLISH = /\b(?:the|it|its|has|is|are|with|not|than|your|for|which|and|more|does)\b/;

/** Expects words of the service to be in German, all of them. */
function expectGerman(german: string | undefined, english: string | undefined): void {
  expect(english).toBeTruthy();
  expect(german).toBeTruthy();
  expect(german).not.toBe(english);
  expect(german).not.toMatch(ENGLISH);
}

const HOST = "smtp.shop.example";

describe("A step of a test in German", () => {
  /** Expects German for all that the service itself says in a step. */
  function expectStep({ step, ok, detail = "", remedy }: Step): void {
    const isOfServer = ok && /^(?:greeting|ehlo|capability|folder)$/.test(step);
    if (isOfServer) expect(germanStep(step, ok, detail)).toBe(detail);
    else if (!/^[\d.:, ]+$/.test(detail)) expectGerman(germanStep(step, ok, detail), detail);
    if (!ok) expectGerman(remedy && germanRemedy(remedy), remedy);
  }

  it.each(["public.test", "half.test", "nx.test", "no-mail.test", "proxied.test", "inside.test"])(
    "has words for the addresses of %s",
    async (host) => {
      const log = new StepLog();
      const resolver = { fetch: (...given: Parameters<typeof fetch>) => fetch(...given) };
      const reach = {
        resolver: { ...resolver, url: DOH_URL, timeoutMs: 5_000 },
        allowPrivate: false,
      };
      await checkReach(reach, host, log);
      expect(log.steps).not.toHaveLength(0);
      for (const step of log.steps) expectStep(step);
    },
  );

  it("has words for a resolver that does not answer", async () => {
    const log = new StepLog();
    const resolver = { fetch: () => Promise.reject(new Error("no")), url: DOH_URL, timeoutMs: 1 };
    await checkReach({ resolver, allowPrivate: false }, "a.test", log);
    for (const step of log.steps) expectStep(step);
    expect(log.steps).toHaveLength(1);
  });

  it.each<[RawScript, string | undefined]>([
    [{ offers: [] }, undefined],
    [{ offers: ["STARTTLS", "AUTH PLAIN"] }, "user"],
    [{ offers: ["AUTH PLAIN"], tls: "trusted" }, "user"],
  ])("has words for a session that opens: %j", async (script, user) => {
    const { port } = await startRawServer(script);
    const settings = settingsFor(port, { user, password: "secret" });
    const log = new StepLog();
    const tls = script.tls ? "implicit" : "loopback";
    const { connection } = await openSession(
      { ...settings, tls },
      sockets,
      TEST_TIMEOUTS,
      (...said) => log.succeeded(...said),
    );
    connection.close();
    expect(log.steps.length).toBeGreaterThan(3);
    for (const step of log.steps) expectStep(step);
  });

  const reply = { code: 550, enhanced: undefined, text: "no" };
  const faults = [
    new ConnectionError("timeout", "x"),
    new ConnectionError("refused", "x"),
    undefined,
  ];
  const steps: OpeningStep[] = ["connect", "greeting", "tls", "ehlo", "auth"];
  it.each(steps)("has remedies for %s over SMTP", (step) => {
    for (const tls of ["implicit", "starttls"] as const)
      for (const cause of faults)
        for (const said of [undefined, reply, { ...reply, code: 421 }]) {
          const facts = { phase: "connect", step, temporary: true, reply: said, cause } as const;
          const error = new SmtpConnectError("x", facts);
          const remedy = openingRemedy(error, settingsFor(465, { tls }));
          expectGerman(germanRemedy(remedy), remedy);
        }
  });

  it("has remedies for a mail that the server does not take, and for the other port", () => {
    const remedies = (["unknown", "not_sent", "deferred", "rejected"] as const).flatMap((outcome) =>
      (["mail", "rcpt", "data"] as const).map((phase) =>
        mailRemedy({ outcome, phase } as RecipientResult),
      ),
    );
    for (const remedy of [...remedies, otherPortRemedy(465)])
      expectGerman(germanRemedy(remedy), remedy);
  });

  it.each(["connect", "greeting", "capability", "login", "folder", "unread"] as const)(
    "has remedies for %s over IMAP",
    (step) => {
      for (const fault of ["timeout", "refused", "login", "folder"] satisfies ImapFault[]) {
        const remedy = imapRemedy(step, new ImapError(fault, "x"), 143);
        expectGerman(germanRemedy(remedy), remedy);
      }
    },
  );

  const DAY = 86_400_000;
  const NOW = Date.UTC(2026, 0, 31);
  const good = {
    names: [HOST],
    isForHost: true,
    validFrom: NOW - DAY,
    validTo: NOW + DAY,
    isSelfSigned: false,
    chainLength: 2,
  };
  const shows = (changes: object): Peek => ({
    kind: "certificate",
    certificate: { ...good, ...changes },
  });
  it.each<Peek>([
    { kind: "plain_text" },
    { kind: "hidden" },
    { kind: "silent" },
    shows({ isForHost: false, names: [] }),
    shows({ isForHost: false, names: ["*.a.test"] }),
    shows({ isForHost: false, names: ["a.test", "b.test", "c.test", "d.test", "e.test"] }),
    shows({ validTo: NOW - DAY }),
    shows({ validFrom: NOW + DAY }),
    shows({ isSelfSigned: true }),
    shows({}),
    shows({ chainLength: 1 }),
  ])("has words for TLS that fails: %j", (peek) => {
    for (const plainTextRemedy of [PLAIN_TEXT_REMEDY, SMTP_PLAIN_TEXT_REMEDY]) {
      const hostField = plainTextRemedy === PLAIN_TEXT_REMEDY ? "host" : "smtp_host";
      const found = explainTls(peek, { host: HOST, hostField, plainTextRemedy }, NOW, true);
      const sentence = `could not start TLS with ${HOST}:465: ${found?.reason}`;
      expectGerman(germanConnection(sentence), sentence);
      expectGerman(germanConnection(found?.reason ?? ""), found?.reason);
      expectGerman(found && germanRemedy(found.remedy), found?.remedy);
    }
  });

  const at = (on: string, send: string): ImapScript => ({
    rules: [{ on, steps: [{ send }] }],
  });
  it.each<[ImapScript, string?]>([
    [{}],
    [at("connect", "* PREAUTH hi\r\n")],
    [at("connect", "hello\r\n")],
    [at("connect", "* BYE go\r\n")],
    [at("CAPABILITY", "* CAPABILITY IMAP4\r\n<tag> OK done\r\n")],
    [at("AUTHENTICATE", "<tag> NO no\r\n")],
    [{ offers: ["LOGINDISABLED"] }],
    [{ offers: ["LOGINDISABLED", "AUTH=CRAM-MD5"] }],
    [at("SELECT", "<tag> NO [NONEXISTENT] no\r\n")],
    [at("SELECT", "<tag> NO no\r\n")],
    [at("SELECT", "<tag> OK [READ-ONLY] done\r\n")],
    [at("UID SEARCH", "<tag> NO no\r\n")],
    [{}, "x".repeat(2_000)],
  ])("has words for a mailbox: %j", async (script, folder = "INBOX") => {
    const { port } = await startImapServer(script);
    const resolver = { fetch, url: DOH_URL, timeoutMs: 1 };
    const world = { resolver, allowPrivate: true, sockets, now: () => NOW };
    const account = { host: "localhost", port, user: "ann", password: "secret", folder };
    const found = await diagnoseMailbox(world, account, 100);
    for (const step of found.steps) expectStep(step);
    if (!found.ok) expectGerman(germanConnection(found.error), found.error);
  });
});
