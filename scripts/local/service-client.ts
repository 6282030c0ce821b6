/** An answer of the service: its status, its JSON body (`undefined` when there is none), its cookie. */
export interface ServiceAnswer {
  status: number;
  body: unknown;
  sessionCookie: string | undefined;
}

/** Calls the local service as any client would, with the session cookie it has been given. */
export type ServiceClient = (
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: Record<string, unknown>,
) => Promise<ServiceAnswer>;

const REQUEST_TIMEOUT_MS = 30_000;

/** Makes a client of the service at `address`; `sessionCookie` is sent with every request. */
export function createServiceClient(address: string, sessionCookie?: string): ServiceClient {
  return async (method, path, body) => {
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
}

/** The text of a refusal, for the operator. */
export function describeRefusal({ status, body }: ServiceAnswer): string {
  const error = readField(body, "error");
  return typeof error === "string" ? `${status}: ${error}` : `status ${status}`;
}

/** A field of a JSON answer, `undefined` when the answer is no object or lacks it. */
export function readField(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.entries(body).find(([key]) => key === name)?.[1];
}

/** A text field of a JSON answer; throws when it is missing. */
export function readText(body: unknown, name: string): string {
  const value = readField(body, name);
  if (typeof value === "string") return value;
  throw new Error(`the service's answer has no "${name}"`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An empty or plain body: the status says what there is to know.
    return undefined;
  }
}
