/* What the looks of a sender read of automations. */
import { expect, it } from "vitest";
import { selectDueWork } from "../../../src/services/broadcasts/index.ts";
import { automationWorld, mail, startAutomation } from "../../support/automating.ts";
import { newNewsletter } from "../../support/broadcasting.ts";

it("reads no rows of the automations of other projects", async () => {
  const { service, owner, deps, news, definition } = await automationWorld({
    steps: [mail("one"), mail("two")],
  });
  const look = async () => {
    service.d1.reset();
    await selectDueWork(deps.db, news.id, deps.now());
    return service.d1.rowsRead;
  };
  const addProject = async () => {
    const other = await newNewsletter(service, owner);
    for (let n = 0; n < 4; n += 1) await startAutomation(other.id, definition);
  };
  await addProject(); // a search by index ends with a row of the next project
  const before = await look();
  for (let n = 0; n < 5; n += 1) await addProject();
  expect(await look()).toBe(before);
  expect(before).toBeLessThanOrEqual(20);
});
