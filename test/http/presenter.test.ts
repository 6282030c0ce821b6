import { describe, expect, it } from "vitest";
import { z } from "zod";
import { timeAnswer } from "../../src/http/answer-fields.ts";
import { changeOf } from "../../src/http/in-code.ts";
import { presenterOf } from "../../src/http/presenter.ts";

const answer = z.strictObject({
  sent_at: timeAnswer,
  opened_at: timeAnswer.nullable().describe("The first open."),
  is_done: z.boolean(),
  last_error: z.string().optional(),
  next_try_at: timeAnswer.optional(),
  links: z.array(z.strictObject({ clicked_by: z.string() })),
});

const row = {
  sentAt: 0,
  openedAt: null,
  isDone: 1,
  lastError: null,
  nextTryAt: 60_000,
  links: [{ clickedBy: "ann", secret: "no" }],
  secret: "no",
};

describe("presenterOf", () => {
  it("shows the fields of the schema, and no other properties of the row", () => {
    const shown = presenterOf(answer)(row);
    expect(answer.parse(shown)).toEqual(shown);
    expect(shown).toEqual({
      sent_at: "1970-01-01T00:00:00.000Z",
      opened_at: null,
      is_done: true,
      next_try_at: "1970-01-01T00:01:00.000Z",
      links: [{ clicked_by: "ann" }],
    });
  });
});

describe("changeOf", () => {
  const change = changeOf(z.object({ html_body: z.string(), name: z.string() }));

  it("returns the given fields with the names of the code", () => {
    expect(change.parse({ html_body: "<p>", name: undefined })).toEqual({ htmlBody: "<p>" });
  });

  it("rejects a change of nothing, and names the fields", () => {
    const { error } = change.safeParse({});
    expect(error?.issues[0]?.message).toContain("html_body, name");
  });
});
