/*
 * The German words of the dashboard for the syntax of templates and conditions: every fault that
 * the service finds has some.
 */
import { describe, expect, it } from "vitest";
import { germanDetail } from "../../dashboard/src/pages/broadcasts/preflight/german-details.ts";
import { complainedWords } from "../../src/services/broadcasts/complained-broadcasts.ts";
import { judgeSettings } from "../../src/services/preflight/judge-server.ts";
import { judgePaused } from "../../src/services/preflight/run-preflight.ts";

describe("The content and the sender in German", () => {
  const detail = (problem: { code: string; message: string } | undefined) =>
    problem && germanDetail(problem, (at) => at);

  it("says why nothing can be sent, and why another broadcast waits", async () => {
    type Judged = Parameters<typeof judgeSettings>;
    const [problem] = await judgeSettings({} as Judged[0], { smtpHost: null } as Judged[1]);
    expect(detail(problem)).toMatch(/^Das Projekt hat keinen Mailserver:/);
    const error = complainedWords(3, 900);
    const [paused] = judgePaused([{ id: "1", subject: "News", error }]);
    expect(detail(paused)).toBe("„News“: 3 von 900 Empfängern haben sich beschwert.");
  });
});
