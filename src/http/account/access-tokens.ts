import { z } from "zod";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import {
  createAccessToken,
  endSession,
  listedToken,
  selectTokensOfSession,
} from "../../services/accounts/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { fault } from "../fault.ts";
import { nameField, timestampField, uuidField } from "../fields.ts";
import { listField } from "../given.ts";
import { inCode } from "../in-code.ts";
import { presenterOf } from "../presenter.ts";
import { EXAMPLE_IDS } from "../route/words.ts";
import { route } from "../route/route.ts";

/** The largest number of projects that one token lists; our own choice. */
const MOST_PROJECTS = 100;

/** The projects that a token reaches. */
export const projectIdsField = listField(uuidField, MOST_PROJECTS).refine((ids) => ids.length > 0, {
  message: fault("too_few", { min: 1 }),
});

const createBody = z
  .object({
    name: nameField,
    expires_at: timestampField.optional(),
    project_ids: projectIdsField.optional(),
  })
  .transform(inCode);

const tokenAnswer = namedAnswer("AccessToken", {
  id: idAnswer,
  name: z.string(),
  project_ids: z
    .array(idAnswer)
    .nullable()
    .describe("The projects that the token reaches. Null: all of the person."),
  created_at: timeAnswer,
  last_used_at: timeAnswer.nullable().describe("Written at most once an hour."),
  expires_at: timeAnswer.nullable().describe("Null: the token does not expire."),
});

const presentToken = presenterOf(tokenAnswer);

const LIST = "/auth/tokens";

/** Routes for a person's own access tokens (API reference §2.4). */
export const accessTokenRoutes = [
  route({
    auth: "user",
    reach: "session",
    method: "GET",
    path: LIST,
    operation: "auth.tokens.list",
    summary: "Lists the access tokens of the person.",
    answer: z.strictObject({ tokens: z.array(tokenAnswer) }),
    reads: ({ deps, tokenHash }) => [selectTokensOfSession(deps.db, tokenHash, deps.now())],
    handle: async ({ reads: [tokens] }) => ({
      tokens: tokens.map((token) => presentToken(listedToken(token))),
    }),
  }),
  route({
    auth: "user",
    reach: "session",
    method: "POST",
    path: LIST,
    operation: "auth.tokens.create",
    summary: "Creates an access token; only this response shows it.",
    once: true,
    refusals: [404],
    example: {
      body: {
        name: "Deploy templates",
        expires_at: "2030-01-31T00:00:00Z",
        project_ids: [EXAMPLE_IDS.project],
      },
    },
    body: createBody,
    answer: tokenAnswer.extend({ token: z.string() }),
    status: 201,
    handle: async ({ ctx, actor, body }) => {
      const { expiresAt } = body;
      if (expiresAt !== undefined && expiresAt <= ctx.deps.now())
        throw invalidField("expires_at", faultOf("not_future"));
      const made = await createAccessToken(ctx, actor, body);
      return { ...presentToken(made), token: made.token };
    },
  }),
  route({
    auth: "user",
    reach: "session",
    method: "DELETE",
    path: `${LIST}/:tokenId`,
    operation: "auth.tokens.end",
    summary: "Ends an access token of the person.",
    handle: ({ ctx, actor, param }) =>
      endSession(ctx, actor, { id: param("tokenId"), kind: "access token" }),
  }),
];
