/*
 * The client of Swagger UI on the page of the API. It knows the service by its OpenAPI document
 * alone, and calls it from the browser.
 */
import { Validator, type Schema } from "@cfworker/json-schema";
import type { Page } from "playwright-core";

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

/** A call as the client of Swagger UI takes it, and its answer. */
interface Execution {
  spec: Document;
  operationId: string;
  parameters: object;
  requestBody?: string;
  requestContentType?: string;
  securities?: object;
}
interface Executed {
  status: number;
  /** A Blob for an answer without a body. */
  text: unknown;
}

/** The page's Swagger UI. */
interface Scope {
  ui: {
    specSelectors: { specJson: () => { toJS: () => Document } };
    getSystem: () => { fn: { execute: (call: Execution) => Promise<Executed> } };
  };
}

interface Call {
  /** The parameters of path and query. */
  parameters?: Record<string, string | number>;
  body?: unknown;
  /** An API key; the browser's session goes along in any case. */
  key?: string;
}

/** Calls an operation and holds its answer to the document. */
export async function callByDocument(
  page: Page,
  operationId: string,
  { parameters = {}, body, key }: Call = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const given = {
    operationId,
    parameters,
    ...(body === undefined
      ? {}
      : { requestBody: JSON.stringify(body), requestContentType: "application/json" }),
    ...(key === undefined ? {} : { securities: { authorized: { projectKey: { value: key } } } }),
  };
  const answer = await page.evaluate(async (call) => {
    const { ui } = globalThis as unknown as Scope;
    const spec = ui.specSelectors.specJson().toJS();
    const { execute } = ui.getSystem().fn;
    const refused = (error: { response: Executed }) => error.response;
    const { status, text } = await execute({ spec, ...call }).catch(refused);
    return { spec, status, text: typeof text === "string" ? text : "" };
  }, given);
  const { status, text, spec } = answer;
  const { responses } = operationIn(spec, operationId);
  if (!(status in responses)) throw new Error(`${operationId} does not list ${status}: ${text}`);
  const schema = responses[status]?.content?.["application/json"]?.schema;
  const parsed = text === "" ? {} : JSON.parse(text);
  if (!schema) return { status, body: parsed };
  const whole = { ...schema, components: spec.components } as Schema;
  const { valid, errors } = new Validator(whole, "2020-12").validate(parsed);
  if (!valid) throw new Error(`${operationId}: ${JSON.stringify(errors)}`);
  return { status, body: parsed };
}

function operationIn({ paths }: Document, operationId: string): Operation {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  const found = all.find((one) => one.operationId === operationId);
  if (!found) throw new Error(`${operationId} is not in the document`);
  return found;
}
