import { z } from "zod";
import { PRODUCT } from "../../lib/product.ts";
import { route } from "../route/route.ts";

const versionAnswer = z.strictObject({
  name: z.string(),
  version: z.string(),
  deployment_mode: z.enum(["self_hosted", "cloud"]),
  enabled: z.boolean(),
});

/** The route of `GET /version` (API reference §18.1). */
export const versionRoute = route({
  auth: "public",
  anyOrigin: true,
  method: "GET",
  path: "/version",
  operation: "service.version",
  summary: "Returns the version of the service.",
  answer: versionAnswer,
  handle: async ({ deps }) => {
    const { deploymentMode } = deps.config;
    const { name, version } = PRODUCT;
    return { name, version, deployment_mode: deploymentMode, enabled: deploymentMode !== "cloud" };
  },
});
