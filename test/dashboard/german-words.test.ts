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
import { complainedWords } from "../../src/services/broadcasts/complained-broadcasts.ts";
import { startedLate } from "../../src/services/broadcasts/drafts/launch-draft.ts";
import { alarm } from "../../src/services/broadcasts/check-canary.ts";
import { missedZones } from "../../src/services/broadcasts/time-zones/missed-zone.ts";
import { openAutoPause } from "../../src/services/mailing/sources/broadcast/auto-pause.ts";
import { openSender } from "../../src/services/projects/open-sender.ts";
import { requireRoom } from "../../src/services/storage/index.ts";

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
      [() => sender({ smtpHost: "104.16.0.1" }), /^Der SMTP-Server ist nicht erlaubt: /],
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

  it("stays in the service's words where it is unheard of", () => {
    expect(germanReason("the moon is full")).toBeUndefined();
  });
});
