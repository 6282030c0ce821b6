/* The question before what is typed into the forms of a page would be lost. */
import { describe, expect, it } from "vitest";
import { unsaved } from "../../dashboard/src/lib/unsaved.ts";

describe("forms that would lose what is typed", () => {
  it("ask once, by the first of them that is still there", async () => {
    const asked: string[] = [];
    const add = (name: string, answer: boolean) =>
      unsaved.add(async () => {
        asked.push(name);
        return answer;
      });
    expect(await unsaved.mayLeave()).toBe(true);
    const [removeServer, removeLimits] = [add("server", false), add("limits", true)];
    expect(await unsaved.mayLeave()).toBe(false);
    removeServer();
    expect(await unsaved.mayLeave()).toBe(true);
    removeLimits();
    expect(await unsaved.mayLeave()).toBe(true);
    expect(asked).toEqual(["server", "limits"]);
  });
});
