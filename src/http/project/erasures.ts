import { z } from "zod";
import { eraseAddress, liftErasure, readErasures } from "../../services/privacy/index.ts";
import { countAnswer } from "../answer-fields.ts";
import { emailField } from "../fields.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";

/** Maximum length of the note on a consent; our own choice. */
const MAX_CONSENT_CHARACTERS = 500;

const eraseBody = z.strictObject({ email: emailField });

const liftBody = z.strictObject({
  email: emailField,
  consent: z.string().trim().min(1, fault("required")).max(MAX_CONSENT_CHARACTERS),
});

const LIST = "/projects/:id/erasures";

/** Routes of erasures (API reference §12.13). */
export const erasureRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: LIST,
    operation: "projects.erasures.count",
    summary: "Counts the erased addresses of a project and the running erasures.",
    capability: "read",
    answer: z.strictObject({ total: countAnswer, running: countAnswer }),
    handle: ({ ctx, project }) => readErasures(ctx, project),
  }),
  route({
    auth: "cookie",
    method: "POST",
    path: LIST,
    operation: "projects.erasures.create",
    summary: "Erases an address, whether it is a subscriber or not.",
    example: { body: { email: "gone@example.com" } },
    refusals: [409],
    capability: "subscribers:write",
    body: eraseBody,
    handle: ({ ctx, project, body }) => eraseAddress(ctx, project, body),
  }),
  route({
    auth: "cookie",
    method: "POST",
    path: `${LIST}/lift`,
    operation: "projects.erasures.lift",
    summary: "Lifts the erasure of an address after a new consent of its owner.",
    refusals: [409],
    example: { body: { email: "gone@example.com", consent: "wrote to us on 2026-11-20" } },
    capability: "suppressions:write",
    body: liftBody,
    handle: ({ ctx, project, body }) => liftErasure(ctx, project, body),
  }),
];
