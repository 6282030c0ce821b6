import { z } from "zod";
import { CHECK_VERDICTS, SENDER_CHECKS } from "../../mail/sender-check/index.ts";
import { checkProjectSender, selectSignatures } from "../../services/sending/index.ts";
import { FINDINGS } from "../../messages/findings.ts";
import { countAnswer, namedAnswer } from "../answer-fields.ts";
import { codeAnswer, paramsAnswer } from "../message-answer.ts";
import { route } from "../route/route.ts";
import { writtenAs } from "../route/written-as.ts";
import { fault } from "../fault.ts";
import { presenterOf } from "../presenter.ts";

const MAX_SELECTOR_CHARACTERS = 200;

/** A DKIM selector (RFC 6376 §3.1): labels of a domain name. */
const selectorField = writtenAs(
  z
    .string()
    .max(MAX_SELECTOR_CHARACTERS)
    .regex(/^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/i, fault("not_selector"))
    .toLowerCase(),
  z.string().max(MAX_SELECTOR_CHARACTERS).describe("A DKIM selector."),
);

const checkQuery = z.object({ dkim_selector: selectorField.optional() });

const itemAnswer = z.strictObject({
  check: z.enum(SENDER_CHECKS),
  domain: z.string().describe("The domain that the item is about."),
  verdict: z.enum(CHECK_VERDICTS),
  found: z.array(z.string()).describe("The DNS records: at most 10 of at most 1,000 characters."),
  explanation: z.string().describe("Human-readable sentences."),
  code: codeAnswer("FindingCode", FINDINGS),
  params: paramsAnswer.optional(),
  record: z
    .strictObject({ name: z.string(), type: z.enum(["TXT", "MX"]), value: z.string() })
    .nullable(),
});

const reportAnswer = namedAnswer("SenderReport", {
  domain: z.string(),
  envelope_domain: z.string(),
  verdict: z.enum(CHECK_VERDICTS),
  questions: countAnswer,
  items: z.array(itemAnswer),
});

/** Presents the sender check (API reference §9.6). */
const presentReport = presenterOf(reportAnswer);

/** Route of a project's sender check. */
export const senderCheckRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/sending/check",
    operation: "projects.sending.check",
    summary: "Checks the sender of a project in DNS.",
    example: { query: { dkim_selector: "s1" } },
    capability: "read",
    limit: "sender_check",
    query: checkQuery,
    answer: reportAnswer,
    reads: ({ deps: { db }, projectId }) => [selectSignatures(db, projectId)],
    handle: async ({ ctx, project, query, reads: [[seenMail]] }) =>
      presentReport(await checkProjectSender(ctx, project, query.dkim_selector, seenMail)),
  }),
];
