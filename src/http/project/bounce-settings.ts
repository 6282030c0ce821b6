import { z } from "zod";
import { BOUNCE_PROOFS, type BounceSettings } from "../../db/schema/index.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { bounceSettingsOf, saveBounceSettings } from "../../services/projects/index.ts";
import { countAnswer, namedAnswer } from "../answer-fields.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import { clearableEmailField, returnPathField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";

const PATH = "/projects/:id/bounce-settings";

const pctField = z.number().min(0).max(100).optional();

const brakesBody = z.strictObject({
  bad_address_pct: pctField,
  sender_refusal_pct: pctField,
  sender_refusals_in_a_row: z.number().int().min(0).max(1_000).optional(),
  complaint_pct: pctField,
  sample_first: z.boolean().optional(),
});

const settingsBody = z
  .strictObject({
    suppress_on_any_5xx: z
      .boolean()
      .optional()
      .describe("Each 5xx to RCPT TO and each permanent report suppresses the address."),
    bounce_proof: z
      .enum(BOUNCE_PROOFS)
      .optional()
      .describe("Which reports of the bounce mailbox count (API reference §14.2)."),
    brakes: brakesBody.optional(),
    soft_bounce_limit: z
      .number()
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe("Days with a soft bounce until the address is suppressed; 0 for never."),
    return_path: returnPathField.optional(),
    forward_to: clearableEmailField.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, { message: fault("nothing_given") });

const settingsAnswer = namedAnswer("BounceSettings", {
  suppress_on_any_5xx: z.boolean(),
  bounce_proof: z.enum(BOUNCE_PROOFS),
  brakes: z.strictObject({
    bad_address_pct: z.number(),
    sender_refusal_pct: z.number(),
    sender_refusals_in_a_row: countAnswer,
    complaint_pct: z.number(),
    sample_first: z.boolean(),
  }),
  soft_bounce_limit: countAnswer,
  return_path: z.string().nullable(),
  forward_to: z.string().nullable(),
});

/** Presents the bounce settings (API reference §14.1). */
const presentSettings = (settings: BounceSettings): z.input<typeof settingsAnswer> => ({
  suppress_on_any_5xx: settings.suppressOnAny5xx,
  bounce_proof: settings.bounceProof,
  brakes: {
    bad_address_pct: settings.autoPause.badAddressPct,
    sender_refusal_pct: settings.autoPause.senderRefusalPct,
    sender_refusals_in_a_row: settings.autoPause.senderRefusalsInARow,
    complaint_pct: settings.autoPause.complaintPct,
    sample_first: settings.autoPause.canaryFirst,
  },
  soft_bounce_limit: settings.softBounceLimit,
  return_path: settings.returnPath,
  forward_to: settings.forwardTo,
});

/** Presents the settings; their ETag is the project's. */
function answerSettings(c: HttpContext, project: ProjectRow) {
  setVersion(c, project.updatedAt);
  return presentSettings(bounceSettingsOf(project));
}

/** Routes of the bounce settings (API reference §14.1). */
export const bounceSettingsRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: PATH,
    operation: "projects.bounceSettings.get",
    summary: "Returns the bounce settings of a project.",
    capability: "read",
    answer: settingsAnswer,
    handle: async ({ c, project }) => answerSettings(c, project),
  }),
  route({
    auth: "cookie_or_key",
    method: "PUT",
    path: PATH,
    operation: "projects.bounceSettings.save",
    summary: "Changes the bounce settings of a project.",
    obeysIfMatch: true,
    example: { body: { soft_bounce_limit: 5, brakes: { complaint_pct: 0.3 } } },
    capability: "projects:write",
    body: settingsBody,
    answer: settingsAnswer,
    handle: async ({ c, ctx, project, body }) => {
      const change = {
        suppressOnAny5xx: body.suppress_on_any_5xx,
        bounceProof: body.bounce_proof,
        softBounceLimit: body.soft_bounce_limit,
        returnPath: body.return_path,
        forwardTo: body.forward_to,
        autoPause: body.brakes && {
          badAddressPct: body.brakes.bad_address_pct,
          senderRefusalPct: body.brakes.sender_refusal_pct,
          senderRefusalsInARow: body.brakes.sender_refusals_in_a_row,
          complaintPct: body.brakes.complaint_pct,
          canaryFirst: body.brakes.sample_first,
        },
      };
      const expected = expectedVersions(c);
      return answerSettings(c, await saveBounceSettings(ctx, project, change, expected));
    },
  }),
];
