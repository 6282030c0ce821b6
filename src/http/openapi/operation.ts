import { PER_MINUTE } from "../../services/limits/index.ts";
import { sizeInWords } from "../read-body.ts";
import type { Route } from "../route/declaration.ts";
import { EXAMPLE_ANSWERS } from "./example-answers.ts";
import { jsonSchemaOf, type Json, type NamedSchemas } from "./json-schema.ts";
import { parametersOf } from "./parameters.ts";
import { refusalRefs } from "./refusals.ts";
import { securityOf } from "./security.ts";

/** Returns the tag of an operation: its first word, or the second for resources of a project. */
export function tagOf(operation: string): string {
  const [first = "", ...rest] = operation.split(".");
  if (first === "keyed") return "Key-based API";
  const group = first === "projects" && rest.length > 1 ? (rest[0] ?? "") : first;
  const words = group.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

export function operationOf(route: Route, named: NamedSchemas): Json {
  const { operation, summary, body } = route;
  const parameters = parametersOf(route, named);
  const description = describe(route);
  return {
    operationId: operation,
    summary: summary.replace(/\.$/, ""),
    ...(description === "" ? {} : { description }),
    tags: [tagOf(operation)],
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...((body ?? route.freeBody) ? { requestBody: requestBodyOf(route, named) } : {}),
    responses: { ...answersOf(route, named), ...refusalRefs(route) },
  };
}

/** Describes the access rules and limits of a route. */
function describe({ auth, capability, license, limit, body, maxBytes }: Route): string {
  const rules = [
    auth === "operator" ? "Only the owner of the first account may call it." : "",
    capability === undefined ? "" : `Needs the capability \`${capability}\`.`,
    license === undefined ? "" : licenceRule(license),
    limit === undefined ? "" : `Limit: ${PER_MINUTE[limit]} per minute.`,
    body === undefined ? "" : `Body: at most ${sizeInWords(maxBytes)}.`,
  ];
  return rules.filter((rule) => rule !== "").join(" ");
}

const licenceRule = (feature: string) =>
  `Needs a license for ${feature}${feature === "analytics" ? " in cloud mode" : ""}.`;

function requestBodyOf(
  { body, bodyTypes = {}, example, freeBody, freeBodyType = JSON_TYPE }: Route,
  named: NamedSchemas,
): Json {
  const schema = body ? jsonSchemaOf(body, named) : {};
  const shown = example?.body === undefined ? {} : { example: example.body };
  return {
    ...(freeBody === undefined ? {} : { description: freeBody }),
    required: isRequired(schema),
    content: {
      [freeBodyType]: { schema: freeBodyType === JSON_TYPE ? schema : FILE, ...shown },
      ...Object.fromEntries(Object.keys(bodyTypes).map((type) => [type, TEXT])),
    },
  };
}

const JSON_TYPE = "application/json";

/** Content in a text format other than JSON. */
const TEXT = { schema: { type: "string" } };

/** The bytes of a file. */
const FILE = { type: "string", format: "binary" };

/** An empty body counts as `{}` (API reference §1.3). */
const isRequired = ({ required, allOf, anyOf, type }: Json) =>
  (required ?? allOf ?? anyOf) !== undefined || type !== "object";

function answersOf(route: Route, named: NamedSchemas): Json {
  const answers: Json = {};
  for (const [status, schema] of Object.entries(route.answers)) {
    const description = schema ? "The call succeeded." : "The call succeeded; there is no body.";
    const others = (route.otherTypes ?? []).map((type) => [type, TEXT]);
    const example = EXAMPLE_ANSWERS[route.operation]?.[status];
    answers[status] = schema
      ? {
          description,
          content: {
            "application/json": {
              schema: jsonSchemaOf(schema, named),
              ...(example === undefined ? {} : { example }),
            },
            ...Object.fromEntries(others),
          },
        }
      : route.fileType === undefined
        ? { description }
        : { description: "The file.", content: { [route.fileType]: { schema: FILE } } };
  }
  return answers;
}
