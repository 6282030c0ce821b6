/* The calls of docs/automations.md, which run as they are written. */
import { expect, it } from "vitest";
import guide from "../../../docs/automations.md?raw";
import { bind, requestOf, stepsOf, type Variables } from "../../support/curl-session.ts";
import { ports } from "../../support/ports.ts";
import { createService } from "../../support/service.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";

const [, examples = ""] = /^## Three examples\n([\s\S]*?)^## /m.exec(guide) ?? [];

it("the three examples run as written and produce the documented responses", async () => {
  const service = createService();
  const owner = await service.newOwner();
  const { id, key } = await owner.newProject({ smtpPort: ports.smtp });
  const variables: Variables = new Map([
    ["BASE", TEST_SETTINGS.BASE_URL],
    ["PROJECT", id],
    ["KEY", key],
  ]);
  const steps = stepsOf(examples);
  expect(steps.length).toBeGreaterThan(10);
  for (const step of steps) {
    if (step.kind !== "call") throw new Error(`line ${step.line} is no call`);
    const { url, init } = requestOf(step.words, variables);
    const response = await service.fetch(url, init);
    const text = await response.text();
    expect([response.status, text], `line ${step.line}`).toEqual([step.status, text]);
    if (step.answer === undefined) continue;
    const real: unknown = JSON.parse(text);
    expect(real, `line ${step.line}`).toMatchObject(
      bind(step.answer, real, variables) as Record<string, unknown>,
    );
  }
});
