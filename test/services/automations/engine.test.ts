/* Moves of automations, made by the sender with real mails. */
import { describe, expect, it } from "vitest";
import { automationWorld, mail, wait } from "../../support/automating.ts";
import { DAY } from "../../support/times.ts";

describe("an automation", () => {
  it("mails whoever an event lets in, waits, mails again and ends", async () => {
    const world = await automationWorld({
      steps: [mail("welcome"), wait("pause"), mail("tips"), { id: "over", type: "end" }],
    });
    const { subscribe, happen, work, pass, runs, received, counts } = world;
    const people = await subscribe(3);
    await happen("other", people);
    await happen("signed_up", people.slice(1));
    await work();
    expect(await received()).toEqual(["welcome n1", "welcome n2"]);
    expect(await runs()).toMatchObject([
      { step: "pause", moves: 1, outcome: null },
      { step: "pause", moves: 1, outcome: null },
    ]);
    await pass(DAY - 60_000);
    expect(await received()).toHaveLength(2);
    await pass(60_000);
    expect(await received()).toEqual(["tips n1", "tips n2", "welcome n1", "welcome n2"]);
    expect(await runs()).toMatchObject([
      { step: "over", moves: 2, outcome: "completed", due_at: null },
      { step: "over", moves: 2, outcome: "completed", due_at: null },
    ]);
    expect(await counts()).toEqual({
      " in": 2,
      " out": 2,
      "welcome in": 2,
      "welcome out": 2,
      "pause in": 2,
      "pause out": 2,
      "tips in": 2,
      "tips out": 2,
      "over in": 2,
      "over out": 2,
      "over completed": 2,
    });
  });
});
