/*
 * The German words of the dashboard for what the service says in English: they fit the words that
 * the service really has.
 */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GERMAN_BROADCAST_REASONS } from "../../dashboard/src/pages/broadcasts/reasons.de.ts";
import "../../dashboard/src/text/messages.de.ts";
import { inGerman, sayMessage } from "../../dashboard/src/text/messages.ts";
import type { AutoPauseLimits } from "../../src/db/schema/index.ts";
import { reasonOf, refusal } from "../../src/errors.ts";
import { because, broadcastReason } from "../../src/messages/broadcast-reasons.ts";
import type { Message } from "../../src/messages/message.ts";
import { emailField, nameField } from "../../src/http/fields.ts";
import { refusalOfIssues } from "../../src/http/issues.ts";
import { isSenderSide, REFUSAL_REASONS, type RefusalReason } from "../../src/mail/bounce/index.ts";
import { pauseReason } from "../../src/services/broadcasts/index.ts";
import { final } from "../../src/services/mailing/outcome.ts";
import { openAutoPause } from "../../src/services/mailing/sources/broadcast/auto-pause.ts";

describe("A fault of a field", () => {
  const faultOf = (schema: z.ZodType, value: unknown) => {
    const { error } = z.object({ field: schema }).safeParse({ field: value });
    const [fault] = refusalOfIssues(error?.issues ?? []).details.details ?? [];
    return fault ?? { code: "", message: "" };
  };

  it.each([
    [nameField, "", "ist erforderlich"],
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
  const say = (reason: Message | undefined) =>
    reason && sayMessage(GERMAN_BROADCAST_REASONS, reason);

  /** Returns the reason of an automatic pause, where every nth outcome is bad. */
  function paused(nth: number, bad: ReturnType<typeof refused> | typeof BAD) {
    const autoPause = openAutoPause(limits);
    for (let n = 1; n <= 200; n += 1) autoPause.note(final(n % nth === 0 ? bad : SENT));
    return say(autoPause.stopped());
  }

  it("has the numbers of an automatic pause, and what the server said", () => {
    expect(paused(20, BAD)).toBe("10 von 200 Adressen gibt es nicht: Bereinige die Liste");
    expect(paused(10, refused("content"))).toBe(
      "Von 200 E-Mails hat der Server 20 abgewiesen, wegen ihres Inhalts",
    );
    expect(paused(1, refused("too_large"))).toBe(
      "Der Server hat 20 E-Mails nacheinander abgewiesen, weil sie zu groß sind: 554 no",
    );
  });

  it.each(REFUSAL_REASONS.filter((one) => isSenderSide(one)))(
    "has words for the reason %s",
    (reason) => {
      expect(Object.keys(GERMAN_BROADCAST_REASONS)).toContain(because(reason).code);
    },
  );

  it("has the numbers of a canary", () => {
    const reason = pauseReason({ total: 1_200, problems: [["complaint", 9]] }, limits);
    expect(say(reason)).toBe("Beschwerden: 9 von 1.200 Empfängern");
  });

  it("is that of another refusal, too", () => {
    const reason = broadcastReason("audience_condition_invalid", {
      reason: reasonOf(refusal("smtp_not_configured", {})),
    });
    expect(say(reason)).toMatch(/^Die Bedingung ihrer Empfänger gilt nicht mehr: .*Mailserver/u);
  });
});
