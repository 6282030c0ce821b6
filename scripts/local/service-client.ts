import { OperatorError } from "../command-line.ts";

/** A response of the service: status, JSON body (`undefined` if empty) and cookie. */
export interface ServiceAnswer {
  status: number;
  body: unknown;
  sessionCookie: string | undefined;
}

/** A request without a response: the service ended, or it hangs. */
export class UnansweredError extends OperatorError {}

/** Calls the local service like any client, with the session cookie that it received. */
export type ServiceClient = (
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: Record<string, unknown>,
) => Promise<ServiceAnswer>;

/** Timeout that detects hangs, far above what a busy machine needs. */
const REQUEST_TIMEOUT_MS = 90_000;

/**
 * Creates a client of the service at `address`, which sends `sessionCookie` with every request.
 * Throws UnansweredError on timeout.
 */
export function createServiceClient(address: string, sessionCookie?: string): ServiceClient {
  const ask: ServiceClient = async (method, path, body) => {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...(body ? { "Content-Type": "application/json" } : {}),
        ...(sessionCookie ? { Cookie: sessionCookie } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: parseJson(text),
      sessionCookie: response.headers.getSetCookie()[0]?.split(";")[0],
    };
  };
  return async (method, path, body) => {
    try {
      return await ask(method, path, body);
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === "TimeoutError";
      // fetch reports every network error as a TypeError.
      if (!isLate && !(error instanceof TypeError)) throw error;
      const how = isLate ? `within ${REQUEST_TIMEOUT_MS / 1_000} s` : `(${describeFault(error)})`;
      throw new UnansweredError(`the service did not answer ${method} ${path} ${how}`);
    }
  };
}

function describeFault({ cause, message }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

/** Returns the text of an error response, for the operator. */
export function describeRefusal({ status, body }: ServiceAnswer): string {
  const error = readField(body, "error");
  return typeof error === "string" ? `${status}: ${error}` : `status ${status}`;
}

/** Returns a field of a JSON response; `undefined` if the body is not an object or lacks it. */
export function readField(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.entries(body).find(([key]) => key === name)?.[1];
}

/** Returns a text field of a JSON response; throws if it is missing. */
export function readText(body: unknown, name: string): string {
  const value = readField(body, name);
  if (typeof value === "string") return value;
  throw new Error(`the service's answer has no "${name}"`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An empty or plain-text body: only the status is useful.
    return undefined;
  }
}
