import { FORM_PATHS } from "./form-paths.ts";
import type { Json } from "./json-schema.ts";
import { inPath, page, text, uuid } from "./page-parts.ts";

const OF_SUBSCRIBER = [inPath("projectId", uuid), inPath("subscriberId", uuid)];
const LEFT = {
  200: page("The subscription page."),
  404: page("The link is unknown."),
  default: page("The page could not be shown."),
};

/** Returns the operations of an unsubscribe link. */
function leaving(parameters: Json[], operations: { get: string; post: string }): Json {
  const shared = { tags: ["Mails"], security: [], parameters };
  return {
    get: {
      ...shared,
      operationId: operations.get,
      summary: "Unsubscribes the reader, or shows the button that does",
      responses: LEFT,
    },
    post: {
      ...shared,
      operationId: operations.post,
      summary: "Unsubscribes the reader, or undoes that with the token of the page",
      requestBody: {
        content: {
          "application/x-www-form-urlencoded": {
            schema: {
              type: "object",
              properties: { "List-Unsubscribe": { type: "string" }, undo: { type: "string" } },
            },
            example: { "List-Unsubscribe": "One-Click" },
          },
        },
      },
      responses: { ...LEFT, 400: page("The token is wrong.") },
    },
  };
}

const SIGNED = [inPath("token")];
const READERS_PAGE = {
  200: page("The reader's page."),
  400: page("The form does not belong to the page, or the link has expired."),
  404: page("The link is unknown."),
  default: page("The page could not be shown."),
};

/** Returns the operations of a signed link to a page with buttons. */
function signedPage(
  shown: { id: string; summary: string },
  pressed: { id: string; summary: string },
  example: object,
): Json {
  const shared = { tags: ["Mails"], security: [], parameters: SIGNED, responses: READERS_PAGE };
  const schema = { type: "object", additionalProperties: { type: "string" } };
  return {
    get: { ...shared, operationId: shown.id, summary: shown.summary },
    post: {
      ...shared,
      operationId: pressed.id,
      summary: pressed.summary,
      requestBody: { content: { "application/x-www-form-urlencoded": { schema, example } } },
    },
  };
}

const REFUSED = { default: { $ref: "#/components/responses/Refusal" } };

/** Returns the operation of a page of an archive. */
const archived = (operationId: string, summary: string, found: Json, parameters: Json[]): Json => ({
  get: {
    operationId,
    summary,
    tags: ["Archive"],
    security: [],
    parameters: [inPath("projectId", uuid), ...parameters],
    responses: { 200: found, 404: page("There is no such page."), ...REFUSED },
  },
});

/** Paths outside the route table: pages, pixels and health. */
export const PUBLIC_PATHS: Record<string, Json> = {
  "/health": {
    get: {
      operationId: "service.health",
      summary: "Checks the service and its database",
      tags: ["Service"],
      security: [],
      responses: {
        200: {
          description: "The database responds.",
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  status: { type: "string", const: "ok" },
                  dead_letters: { type: "integer", minimum: 0 },
                  storage: {
                    type: "object",
                    properties: {
                      level: { type: "string" },
                      used_pct: { type: ["number", "null"] },
                      log_retention_days: { type: "integer", minimum: 0 },
                    },
                    required: ["level", "used_pct", "log_retention_days"],
                    additionalProperties: false,
                  },
                },
                required: ["status", "dead_letters", "storage"],
                additionalProperties: false,
              },
            },
          },
        },
        429: { $ref: "#/components/responses/Refusal429" },
        503: { $ref: "#/components/responses/Refusal503" },
        ...REFUSED,
      },
    },
  },
  "/t/{logId}.gif": {
    get: {
      operationId: "mails.open",
      summary: "Records the open of an email",
      tags: ["Mails"],
      security: [],
      parameters: [inPath("logId")],
      responses: { 200: text("A transparent pixel, for every id.", "image/gif"), ...REFUSED },
    },
  },
  "/c/{logId}/{payload}": {
    get: {
      operationId: "mails.click",
      summary: "Records a click and redirects to the link",
      tags: ["Mails"],
      security: [],
      parameters: [inPath("logId"), inPath("payload")],
      responses: {
        302: {
          description: "`Location` is the link of the email.",
          headers: { Location: { schema: { type: "string", format: "uri" } } },
        },
        400: { $ref: "#/components/responses/Refusal400" },
        ...REFUSED,
      },
    },
  },
  ...FORM_PATHS,
  "/images/{projectId}/{file}": {
    get: {
      operationId: "mails.image",
      summary: "Returns the bytes of an image in an email",
      tags: ["Mails"],
      security: [],
      parameters: [inPath("projectId", uuid), inPath("file")],
      responses: {
        200: {
          description: "The image, which never changes.",
          content: Object.fromEntries(
            ["image/png", "image/jpeg", "image/gif", "image/webp"].map((type) => [
              type,
              { schema: { type: "string", format: "binary" } },
            ]),
          ),
        },
        304: { description: "The client has the image." },
        404: { $ref: "#/components/responses/Refusal404" },
        ...REFUSED,
      },
    },
  },
  "/unsubscribe/{projectId}/{subscriberId}": leaving(OF_SUBSCRIBER, {
    get: "mails.unsubscribeByLink",
    post: "mails.unsubscribe",
  }),
  "/unsubscribe/{projectId}/{subscriberId}/{broadcastId}": leaving(
    [...OF_SUBSCRIBER, inPath("broadcastId", uuid)],
    { get: "mails.unsubscribeByLinkOfBroadcast", post: "mails.unsubscribeFromBroadcast" },
  ),
  "/preferences/{token}": signedPage(
    { id: "mails.preferences", summary: "Shows the topics of a reader" },
    {
      id: "mails.savePreferences",
      summary: "Unsubscribes from a topic with one click, or handles a button of the page",
    },
    { "List-Unsubscribe": "One-Click" },
  ),
  "/preferences/{token}/data": {
    get: {
      operationId: "mails.storedData",
      summary: "Downloads the data stored about a reader",
      tags: ["Mails"],
      security: [],
      parameters: SIGNED,
      responses: {
        200: {
          description: "The export of the reader's address, with all emails.",
          content: { "application/json": { schema: { type: "object" } } },
        },
        404: page("The link is unknown or has expired."),
        429: page("The reader or the client address has reached its downloads for this hour."),
        default: page("The data could not be shown."),
      },
    },
  },
  "/view/{token}": {
    get: {
      operationId: "mails.view",
      summary: "Shows a recipient their email of a broadcast",
      tags: ["Mails"],
      security: [],
      parameters: SIGNED,
      responses: {
        200: page("The email, untracked and sandboxed."),
        404: page("The link is unknown."),
        410: page("The link has expired, or the email is no longer available."),
        default: page("The page could not be shown."),
      },
    },
  },
  "/archive/{projectId}": archived(
    "archive.list",
    "Shows the archive of a project",
    page("The archived broadcasts, newest first."),
    [
      { name: "q", in: "query", schema: { type: "string", maxLength: 100 } },
      { name: "page", in: "query", schema: { type: "integer", minimum: 1 } },
    ],
  ),
  "/archive/{projectId}/feed.xml": archived(
    "archive.feed",
    "Returns the newest broadcasts of an archive as a feed",
    text("An Atom feed (RFC 4287).", "application/atom+xml"),
    [],
  ),
  "/archive/{projectId}/{broadcastId}": archived(
    "archive.broadcast",
    "Shows an archived broadcast",
    page("The broadcast as nobody in particular sees it, sandboxed."),
    [inPath("broadcastId", uuid)],
  ),
  "/confirm/{token}": signedPage(
    { id: "mails.confirmation", summary: "Shows the button that confirms a subscription" },
    { id: "mails.confirm", summary: "Confirms a subscription, or requests a new link" },
    {},
  ),
};
