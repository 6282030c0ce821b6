/*
 * The German words of the dashboard for what the service says in English: they fit the words that
 * the service really has.
 */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { germanReason } from "../../dashboard/src/pages/broadcasts/german-reasons.ts";
import "../../dashboard/src/text/messages.de.ts";
import { inGerman } from "../../dashboard/src/text/messages.ts";
import type { AutoPauseLimits } from "../../src/db/schema/index.ts";
import type { Deps } from "../../src/deps.ts";
import { emailField, nameField } from "../../src/http/fields.ts";
import { refusalOfIssues } from "../../src/http/issues.ts";
import { isSenderSide, REFUSAL_REASONS, type RefusalReason } from "../../src/mail/bounce/index.ts";
import { NoFreeSession, SmtpConnectError, type SmtpSettings } from "../../src/mail/smtp/index.ts";
import { openSession } from "../../src/mail/smtp/opening.ts";
import { complainedWords } from "../../src/services/broadcasts/complained-broadcasts.ts";
import { startedLate } from "../../src/services/broadcasts/drafts/launch-draft.ts";
import { alarm } from "../../src/services/broadcasts/check-canary.ts";
import { missedZones } from "../../src/services/broadcasts/time-zones/missed-zone.ts";
import { bothFaults } from "../../src/services/mailing/servers/server-faults.ts";
import { openAutoPause } from "../../src/services/mailing/sources/broadcast/auto-pause.ts";
import { openSender } from "../../src/services/projects/open-sender.ts";
import { requireRoom } from "../../src/services/storage/index.ts";
import type { RawScript, RawStep } from "../support/smtp/raw-script.ts";
import { startRawServer } from "../support/smtp/raw-client.ts";
import {
  NO_GREETING_TIMEOUTS,
  settingsFor,
  sockets,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";

describe("A fault of a field", () => {
  const faultOf = (schema: z.ZodType, value: unknown) => {
    const { error } = z.object({ field: schema }).safeParse({ field: value });
    const [fault] = refusalOfIssues(error?.issues ?? []).details.details ?? [];
    return fault ?? { code: "", message: "" };
  };

  it.each([
    [nameField, "", "wird gebraucht"],
    [nameField, "x".repeat(1_201), "darf höchstens 200 Zeichen haben"],
    [z.string().min(1), "", "darf nicht leer sein"],
    [emailField, "ann.example.com", "ist keine E-Mail-Adresse: ihr fehlt das @"],
    [z.number().max(65_535), 70_000, "darf höchstens 65.535 sein"],
  ])("is in German with its values: %#", (schema, value, german) => {
    expect(inGerman(faultOf(schema, value))).toBe(german);
  });

  it("stays in English without a German text", () => {
    expect(inGerman({ code: "toString", message: "is odd" })).toBe("is odd");
  });
});

describe("Why a broadcast stopped, in German", () => {
  const limits: AutoPauseLimits = {
    badAddressPct: 5,
    senderRefusalPct: 10,
    senderRefusalsInARow: 20,
    complaintPct: 0.3,
    canaryFirst: true,
  };
  const SENT = { email: "a@b.test", status: "sent", error: null } as const;
  const BAD = { ...SENT, status: "bounced", error: "550 no", reason: "user_unknown" } as const;
  const refused = (reason: RefusalReason) =>
    ({ ...SENT, status: "failed", error: "554 no", reason }) as const;

  /** Returns the words with which a brake stops, where every nth outcome is bad. */
  function braked(nth: number, bad: ReturnType<typeof refused> | typeof BAD) {
    const brake = openAutoPause(limits, true);
    for (let n = 1; n <= 200; n += 1) brake.note(n % nth === 0 ? bad : SENT);
    return germanReason(brake.stopped() ?? "");
  }

  it("has the numbers of a brake, and what the server said", () => {
    expect(braked(20, BAD)).toBe(
      "10 der letzten 200 Adressen gibt es nicht (550 no): Bereinige die Liste.",
    );
    expect(braked(10, refused("content"))).toBe(
      "Von den letzten 200 Mails hat der Server 20 abgewiesen, wegen ihres Inhalts: 554 no",
    );
    expect(braked(1, refused("too_large"))).toBe(
      "Der Server hat 20 Mails nacheinander abgewiesen, weil sie zu groß sind: 554 no",
    );
  });

  it.each(REFUSAL_REASONS.filter((one) => isSenderSide(one)))(
    "has words for the reason %s",
    (reason) => {
      expect(braked(1, refused(reason))).toMatch(/ abgewiesen, we[^:]*: 554 no$/);
    },
  );

  it("has the numbers of a sample and of complaints", () => {
    const sampled = (facts: Partial<Parameters<typeof alarm>[0]>) =>
      germanReason(alarm({ total: 1_200, complaints: 0, refusals: [], ...facts }, limits) ?? "");
    const count = { status: "bounced", reason: "user_unknown", n: 100 } as const;
    expect(sampled({ refusals: [count] })).toBe(
      "100 der ersten 1.200 Adressen gibt es nicht: Bereinige die Liste.",
    );
    expect(sampled({ refusals: [{ ...count, status: "failed", reason: "policy", n: 900 }] })).toBe(
      "Von den ersten 1.200 Mails hat der Server 900 abgewiesen, wegen einer Regel des empfangenden Systems.",
    );
    expect(sampled({ complaints: 9 })).toBe("9 von 1.200 Empfängern haben sich beschwert.");
    expect(germanReason(complainedWords(1, 200))).toBe("1 von 200 Empfängern hat sich beschwert.");
  });

  it("says how late a broadcast was", () => {
    expect(germanReason(startedLate(12))).toBe("Sie hat 12 Minuten zu spät begonnen.");
    expect(germanReason(missedZones(60))).toMatch(/^In einige Zeitzonen .* mehr als 60 Minuten/);
    expect(germanReason(`topic not found; ${missedZones(60)}`)).toMatch(
      /^Ihr Thema gibt es nicht mehr\. In einige Zeitzonen .* mehr als 60 Minuten/,
    );
    expect(germanReason(`421 gone; ${missedZones(60)}`)).toMatch(/^421 gone\. In einige Zeitzonen/);
  });

  it("says what the settings or the storage lack", async () => {
    const deps = {
      config: { allowPrivateTargets: false, sealingKeys: [], storageLimitBytes: 100 },
      now: () => 0,
    } as unknown as Deps;
    const sender = (changes: object) =>
      openSender(deps, {
        id: "p",
        smtpHost: "smtp.example.com",
        smtpPort: 587,
        smtpUser: "me@example.com",
        smtpPasswordSealed: "x",
        ...changes,
      } as unknown as Parameters<typeof openSender>[1]);
    const full = { bytes: 97, freedBytes: 0, level: "full", measuredAt: 0 } as const;
    const refusals: [() => unknown, RegExp][] = [
      [() => sender({ smtpHost: null }), /^Das Projekt hat keinen Mailserver:/],
      [() => sender({ smtpUser: "me" }), /^Das Projekt hat keine Adresse des Absenders:/],
      [() => sender({ smtpHost: "10.0.0.1" }), /nicht erlaubt: Seine Adresse ist nicht öffentlich/],
      [() => sender({ smtpHost: "mail.local" }), /: Der Name gehört zu einem privaten Netz\.$/],
      [() => sender({ smtpHost: "mail" }), /: Das ist kein vollständiger Domainname\.$/],
      [() => sender({ smtpHost: "mail_" + "x".repeat(300) }), /: Das ist weder ein gültiger Name/],
      [() => sender({ smtpHost: "104.16.0.1" }), /: Er gehört zu Cloudflare, und/],
      [() => sender({}), /^Das gespeicherte SMTP-Passwort ist nicht lesbar:/],
      [() => requireRoom(deps, full), /^Der Speicher des Dienstes ist zu 97 % voll:/],
    ];
    for (const [refuse, german] of refusals) {
      const error: unknown = await Promise.resolve()
        .then(refuse)
        .catch((thrown: unknown) => thrown);
      expect(germanReason((error as Error).message)).toMatch(german);
    }
  });

  it.each<[RawStep[], Partial<SmtpSettings>, string]>([
    [[{ close: true }], {}, "Der Server hat die Verbindung geschlossen"],
    [[{ send: "hello\r\n" }], {}, "Der Server hat etwas gesendet, das keine SMTP-Antwort ist"],
    [[{ send: "x".repeat(5_000) }], {}, "Eine Zeile des Servers hat mehr als 4.096 Bytes"],
    [[{ send: "421 4.3.2 go\r\n" }], {}, "Der Server antwortete: 421 4.3.2 go"],
    [[], {}, "Der Server hat nicht rechtzeitig geantwortet"],
  ])("says why a connection failed: %j", async (steps, changes, german) => {
    const timeouts = steps.length === 0 ? NO_GREETING_TIMEOUTS : TEST_TIMEOUTS;
    const error = await faultOfOpening({ rules: [{ on: "connect", steps }] }, changes, timeouts);
    expect(error.replace(/localhost:\d+/, "S")).toBe(
      `Die Verbindung mit S gelang nicht: ${german}`,
    );
  });

  it.each<[RawScript, Partial<SmtpSettings>, RegExp]>([
    [{ offers: [] }, { tls: "starttls" }, /^TLS mit S gelang nicht: Der Server bietet kein STARTT/],
    [
      { offers: ["STARTTLS"], rules: [{ on: "STARTTLS", steps: [{ send: "454 no\r\n" }] }] },
      { tls: "starttls" },
      /^TLS mit S gelang nicht: Der Server antwortete: 454 no$/,
    ],
    [
      { offers: ["AUTH XOAUTH2"] },
      { user: "u", password: "p" },
      /^Die Anmeldung bei localhost gelang nicht: Der Server bietet nur XOAUTH2 an, weder/,
    ],
    [
      { offers: ["AUTH PLAIN"], rules: [{ on: "AUTH", steps: [{ send: "535 no\r\n" }] }] },
      { user: "u", password: "p" },
      /^Die Anmeldung bei localhost gelang nicht: Der Server antwortete: 535 no$/,
    ],
    [{}, { user: "u\0", password: "p" }, /^Die Anmeldung enthält ein NUL-Zeichen$/],
    [{ tls: "trusted" }, { tls: "implicit", port: 1 }, /oder das TLS-Zertifikat gilt nicht für/],
    [{}, { port: 1 }, /: Die Verbindung wurde abgelehnt$/],
  ])("says what a server lacks: %j", async (script, changes, german) => {
    const error = await faultOfOpening(script, changes);
    expect(error.replace(/localhost:\d+/, "S")).toMatch(german);
  });

  it("names both servers, and the sessions that a project may open", () => {
    const busy = new NoFreeSession("a.test:587", 5_000, 4);
    const fault = { error: "could not log in to b.test: no answer in time", temporary: true };
    expect(germanReason(bothFaults(busy.message, fault))).toMatch(
      /^Ersatzserver: Mit a\.test:587 .* 5 Sekunden .* 4 .*\. Erster Server: Die Anmeldung bei b\.test/,
    );
  });

  it("stays in the service's words where it is unheard of", () => {
    expect(germanReason("the moon is full")).toBeUndefined();
  });
});

/** Opens a session with a server of this script, and returns in German why there is none. */
async function faultOfOpening(
  script: RawScript,
  changes: Partial<SmtpSettings>,
  timeouts = TEST_TIMEOUTS,
) {
  const { port } = await startRawServer(script);
  const opening = openSession(settingsFor(port, changes), sockets, timeouts);
  const error: unknown = await opening.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SmtpConnectError);
  return germanReason((error as Error).message) ?? "";
}
