/* The warnings of a preview about keys of the metadata (API reference §12.10). */
import { describe, expect, it } from "vitest";
import { createService, unique } from "../../support/service.ts";

interface Preview {
  warnings: { code: string; params: Record<string, unknown>; message: string }[];
}

const owner = await createService().newOwner();

describe("a preview", () => {
  it("warns of a metadata key that nobody has, and names the one that was meant", async () => {
    const { id } = await owner.newProject();
    const add = (fields: object) =>
      owner.post(`/projects/${id}/subscribers`, { email: `${unique("s")}@any.test`, ...fields });
    const warnings = async (where: string) =>
      (await owner.post<Preview>(`/projects/${id}/segments/preview`, { where })).body.warnings;
    expect(await warnings("Stadt:Bonn")).toEqual([]);
    await add({ metadata: { stadt: "Köln", "Kunde seit": "2026-01-31" } });
    await add({ metadata: { umsatz: 5 }, status: "unsubscribed" });
    expect(await warnings("stadt:Bonn and not umsatz>7 and email:*a*")).toEqual([]);
    const [stadt, other] = await warnings("not Stadt:Bonn or (zzz:1 and umsaz<3 and kunde_seit:*)");
    expect(stadt).toEqual({
      code: "misspelled_key",
      params: { key: "Stadt", count: 2, nearest: "stadt" },
      message: `"Stadt" is not a field: none of the newest 2 subscribers has it; did you mean "stadt"?`,
    });
    expect(other).toMatchObject({ code: "unknown_key", params: { key: "zzz" } });
    const meant = (await warnings("umsaz<3 or kunde_seit:*")).map(
      ({ params }) => params["nearest"],
    );
    expect(meant).toEqual(["umsatz", "Kunde seit"]);
  });
});
