import { z } from "zod";
import { BOUNCE_PROOFS, type BounceSettings } from "../../db/schema/index.ts";
import { bounceSettingsOf, saveBounceSettings } from "../../services/projects/index.ts";
import { route } from "../route/route.ts";

const PATH = "/projects/:id/bounce-settings";

const settingsBody = z
  .strictObject({
    suppress_on_any_5xx: z.boolean().optional(),
    bounce_proof: z.enum(BOUNCE_PROOFS).optional(),
  })
  .refine((body) => Object.keys(body).length > 0, { message: "name at least one setting" });

const settingsAnswer = z.strictObject({
  suppress_on_any_5xx: z.boolean(),
  bounce_proof: z.enum(BOUNCE_PROOFS),
});

/** Presents the settings of bounces (API reference §14.1). */
const presentSettings = (settings: BounceSettings): z.input<typeof settingsAnswer> => ({
  suppress_on_any_5xx: settings.suppressOnAny5xx,
  bounce_proof: settings.bounceProof,
});

/** Routes of the settings of bounces (API reference §14.1). */
export const bounceSettingsRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: PATH,
    capability: "read",
    answer: settingsAnswer,
    handle: async ({ project }) => presentSettings(bounceSettingsOf(project)),
  }),
  route({
    auth: "cookie_or_key",
    method: "PUT",
    path: PATH,
    capability: "projects:write",
    body: settingsBody,
    answer: settingsAnswer,
    handle: async ({ ctx, project, body }) => {
      const change = {
        suppressOnAny5xx: body.suppress_on_any_5xx,
        bounceProof: body.bounce_proof,
      };
      return presentSettings(await saveBounceSettings(ctx, project, change));
    },
  }),
];
