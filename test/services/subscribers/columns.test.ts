/* The columns of a subscriber, as the schema has them, in everything that is made from them. */
import { getTableColumns } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { subscribers } from "../../../src/db/schema/index.ts";
import { SHOWN, WRITTEN } from "../../../src/db/subscriber-columns.ts";
import { movedColumns } from "../../../src/db/moved-columns.ts";
import { ROW_SCHEMAS } from "../../../src/http/project/project-transfer/row-schemas.ts";
import { subscriberAnswer } from "../../../src/http/project/subscriber-answer.ts";
import { createBody, importRow, patchBody } from "../../../src/http/project/subscriber-input.ts";

/** The columns that the service keeps for itself. A new one is shown, or stands here. */
const OWN = ["source", "statusBefore", "leftBy", "lastOpenedAt", "lastClickedAt", "importId"];

const columns = Object.keys(getTableColumns(subscribers));
const shown = columns
  .filter((column) => !OWN.includes(column))
  .map(toSnakeCase)
  .toSorted();

const keysOf = (object: object) => Object.keys(object).toSorted();

describe("the columns of a subscriber", () => {
  it("are all in responses, except internal ones", () => {
    expect(SHOWN.map(toSnakeCase).toSorted()).toEqual(shown);
    expect(keysOf(subscriberAnswer.shape)).toEqual(shown);
  });

  it.each([
    ["create", createBody.omit({ topics: true }).shape],
    ["change", patchBody.in.shape],
    ["import", importRow.omit({ topics: true }).shape],
  ])("are written by a call to %s one", (_, shape) => {
    const times = ["subscribedAt", "unsubscribedAt", "createdAt", "updatedAt"];
    const given = columns.filter(
      (column) => ![...OWN, ...times, "id", "projectId"].includes(column),
    );
    expect([...WRITTEN].toSorted()).toEqual(given.toSorted());
    expect(keysOf(shape)).toEqual(given.map(toSnakeCase).toSorted());
  });

  it("are all in the export and the import of a project", () => {
    const moved = columns.filter((column) => column !== "projectId").map(toSnakeCase);
    expect(Object.keys(movedColumns(subscribers))).toEqual(moved);
    const { properties } = z.toJSONSchema(ROW_SCHEMAS.subscribers, {
      io: "input",
      unrepresentable: "any",
    });
    expect(keysOf(properties ?? {})).toEqual(moved.toSorted());
  });
});
