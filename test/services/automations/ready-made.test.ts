/* Ready-made automations (docs/automations.md). */
import { describe, expect, it } from "vitest";
import type { Definition } from "../../../src/lib/automation-definition.ts";
import { allSteps } from "../../../src/lib/automation-steps.ts";
import { ports } from "../../support/ports.ts";
import { createService } from "../../support/service.ts";

interface ReadyMade extends Definition {
  key: string;
  name: string;
  description: string;
}

const service = createService();
const owner = await service.newOwner();
const { id } = await owner.newProject({ smtpPort: ports.smtp });
const path = `/projects/${id}`;
const read = async (query = "") =>
  (await owner.get<{ automations: ReadyMade[] }>(`${path}/automations/ready-made${query}`)).body
    .automations;

const KEYS = [
  "welcome_series",
  "opt_in_reminder",
  "abandoned_cart",
  "win_back",
  "birthday",
  "trial_ends",
  "review_request",
  "sunset",
];

describe.each(["en", "de"])("the ready-made automations in the language %s", async (language) => {
  const all = await read(`?language=${language}`);
  const segment = await owner.post<{ id: string }>(`${path}/segments`, {
    name: language,
    where: "not opened:90d",
  });

  it("are all there", () => {
    expect(all.map(({ key }) => key)).toEqual(KEYS);
  });

  it.each(all.map((one) => [one.key, one] as const))(
    "start as they are once a segment is chosen: %s",
    async (_key, { key: _unused, description, ...one }) => {
      expect(description).not.toBe("");
      const body = JSON.parse(
        JSON.stringify(one).replace("00000000-0000-0000-0000-000000000000", segment.body.id),
      ) as object;
      const made = await owner.post<{ id: string }>(`${path}/automations`, body);
      expect(made.status).toBe(201);
      const started = await owner.post(`${path}/automations/${made.body.id}/start`);
      expect(started).toMatchObject({ status: 200, body: { state: "active" } });
    },
  );

  it("have complete mails: no gap, a link to leave, and the name of the sender", async () => {
    const mails = all.flatMap((one) =>
      allSteps(one).flatMap(({ step }) => (step.type === "send" ? [step] : [])),
    );
    expect(mails.length).toBeGreaterThan(12);
    for (const { subject = "", html_body: html = "" } of mails) {
      const shown = await owner.post<{
        html: string;
        subject: string;
        problems: { code: string }[];
      }>(`${path}/templates/preview`, { subject, html_body: html });
      expect(shown.status).toBe(200);
      expect(subject).not.toContain("{brand}");
      expect(html).not.toContain("{brand}");
      expect(html).toContain("{{unsubscribe_url}}");
      expect(html).toContain(`lang="${language}"`);
      const codes = shown.body.problems.map(({ code }) => code);
      expect(codes.filter((code) => code !== "no_text_part")).toEqual([]);
    }
    expect(JSON.stringify(all)).toContain("Sender");
  });
});

describe("the ready-made automations", () => {
  it("are in the language of the project, or else in English", async () => {
    expect((await read()).at(0)?.name).toBe("Welcome series");
    await owner.put(`${path}/audience-settings`, { language: "de" });
    expect((await read()).at(0)?.name).toBe("Willkommensserie");
    await owner.put(`${path}/audience-settings`, { language: "fr" });
    expect((await read()).at(0)?.name).toBe("Welcome series");
  });

  it("keep the name of a sender out of their templates' code", async () => {
    const odd = await owner.newProject();
    await owner.put(`/projects/${odd.id}`, { name: "<b>{{secret}}</b>" });
    const { body } = await owner.get<{ automations: ReadyMade[] }>(
      `/projects/${odd.id}/automations/ready-made`,
    );
    const sends = body.automations
      .flatMap(allSteps)
      .flatMap(({ step }) => (step.type === "send" ? [step] : []));
    expect(sends.some(({ subject }) => subject?.includes("<b>secret</b>"))).toBe(true);
    for (const { html_body: html } of sends) expect(html).not.toMatch(/<b>|\{\{secret/);
    expect(JSON.stringify(body)).not.toContain("{{secret");
  });
});
