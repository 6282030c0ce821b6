import type { Json } from "./json-schema.ts";
import { inPath, page } from "./page-parts.ts";

const CLOSED = {
  404: page("There is no such open form."),
  default: page("The form could not be shown."),
};

/** Paths of the pages of sign-up forms. */
export const FORM_PATHS: Record<string, Json> = {
  "/f/{form}": {
    get: {
      operationId: "forms.show",
      summary: "Shows a sign-up form, or returns the script that embeds it",
      tags: ["Forms"],
      security: [],
      parameters: [inPath("form")],
      responses: { 200: page("The page of the form."), ...CLOSED },
    },
    post: {
      operationId: "forms.post",
      summary: "Signs a person up by a form",
      tags: ["Forms"],
      security: [],
      parameters: [inPath("form")],
      requestBody: {
        content: {
          "application/x-www-form-urlencoded": {
            schema: { type: "object", additionalProperties: { type: "string" } },
            example: { email: "ann@example.com", name: "Ann" },
          },
        },
      },
      responses: {
        200: {
          description: "The sign-up has arrived, told to a script.",
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  message: { type: "string" },
                  redirect_url: { type: ["string", "null"] },
                },
              },
            },
          },
        },
        303: { description: "The sign-up has arrived; `Location` is the next page." },
        400: page("The form with its errors and what was entered."),
        403: page("The form, because Turnstile has no valid token or the quota is used up."),
        429: page("The form, because a limit is reached."),
        ...CLOSED,
      },
    },
  },
  "/f/{form}/done": {
    get: {
      operationId: "forms.done",
      summary: "Shows the page after a sign-up",
      tags: ["Forms"],
      security: [],
      parameters: [inPath("form")],
      responses: { 200: page("The page, the same for every address."), ...CLOSED },
    },
  },
};
