import { OperatorError } from "../command-line.ts";

/** Credentials as `wrangler auth token --json` prints them. */
export type Credentials =
  | { type: "oauth" | "api_token"; token: string }
  | { type: "api_key"; key: string; email: string };

/** Same signature as the global `fetch`. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** An error from Cloudflare's API. `status` is 0 if there was no response. */
export class ApiError extends OperatorError {
  readonly status: number;
  readonly codes: number[];

  constructor(message: string, status: number, codes: number[] = []) {
    super(message);
    this.status = status;
    this.codes = codes;
  }
}

/** Cloudflare's API for one account; paths are relative to the account. */
export interface AccountApi extends ApiMethods {
  accountId: string;
  /** The same with paths relative to the API version, such as those of zones. */
  outside: ApiMethods;
}

interface ApiMethods {
  /** Reads one object. Throws ApiError. */
  get: <Result>(path: string) => Promise<Result>;
  /** Reads all pages of a list. Throws ApiError. */
  list: <Item>(path: string) => Promise<Item[]>;
  /** Creates or updates a resource. Throws ApiError. */
  send: <Result>(method: "POST" | "PUT" | "PATCH", path: string, body: unknown) => Promise<Result>;
}

/** Response envelope of every endpoint (https://developers.cloudflare.com/api). */
interface Envelope {
  success: boolean;
  errors: { code: number; message: string }[];
  result: unknown;
  result_info?: PageInfo;
}

interface PageInfo {
  per_page?: number;
  total_count?: number;
  total_pages?: number;
}

export const API_ADDRESS = "https://api.cloudflare.com/client/v4";
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_PAGES = 100;

export function openAccountApi(options: {
  fetch: Fetch;
  /** Base URL without a trailing slash. */
  address: string;
  credentials: Credentials;
  accountId: string;
  /** Advice if there is no response; "" for none. */
  advice: string;
}): AccountApi {
  const { accountId } = options;
  const account = methodsBelow(`/accounts/${accountId}`, options);
  return { accountId, ...account, outside: methodsBelow("", options) };
}

function methodsBelow(
  base: string,
  options: { fetch: Fetch; address: string; credentials: Credentials; advice: string },
): ApiMethods {
  const { credentials } = options;
  const call = async (method: string, path: string, body?: unknown): Promise<Envelope> => {
    const label = `${method} ${path.split("?")[0]}`;
    const response = await fetchAnswer(options, label, {
      url: `${options.address}${base}${path}`,
      method,
      headers: {
        ...authorization(credentials),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return readEnvelope(label, response);
  };
  return {
    // The caller declares the documented type of the result, which the envelope does not carry.
    get: async <Result>(path: string) => (await call("GET", path)).result as Result,
    send: async <Result>(method: "POST" | "PUT" | "PATCH", path: string, body: unknown) =>
      (await call(method, path, body)).result as Result,
    list: async <Item>(path: string) => {
      const items: Item[] = [];
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const { result, result_info: info } = await call("GET", withPage(path, page));
        items.push(...(result as Item[]));
        if (countPages(info) <= page) break;
      }
      return items;
    },
  };
}

/** Returns the number of pages of a list; only some endpoints return `total_pages`. */
function countPages(info: PageInfo = {}): number {
  const { total_pages: pages, total_count: items = 0, per_page: perPage = items } = info;
  return pages ?? Math.ceil(items / Math.max(perPage, 1));
}

function withPage(path: string, page: number): string {
  return page === 1 ? path : `${path}${path.includes("?") ? "&" : "?"}page=${page}`;
}

function authorization(credentials: Credentials): Record<string, string> {
  return credentials.type === "api_key"
    ? { "X-Auth-Email": credentials.email, "X-Auth-Key": credentials.key }
    : { Authorization: `Bearer ${credentials.token}` };
}

async function fetchAnswer(
  { fetch: send, advice }: { fetch: Fetch; advice: string },
  label: string,
  { url, ...init }: RequestInit & { url: string },
): Promise<Response> {
  try {
    return await send(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  } catch (error) {
    const reason = `Cloudflare's API could not be reached (${label}): ${causeOf(error)}`;
    throw new ApiError(advice === "" ? reason : `${reason}. ${advice}`, 0);
  }
}

/** Returns the reason for a failed fetch, which Node puts into `cause`. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

async function readEnvelope(label: string, response: Response): Promise<Envelope> {
  const text = await response.text();
  const envelope = parseEnvelope(text);
  if (envelope?.success) return envelope;
  const errors = envelope?.errors ?? [];
  const reasons = errors.map(({ code, message }) => `${message} [code: ${code}]`);
  const reason = reasons.join("; ") || `status ${response.status}`;
  throw new ApiError(
    `Cloudflare refused ${label}: ${reason}`,
    response.status,
    errors.map(({ code }) => code),
  );
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : undefined;
  } catch {
    // A proxy or an outage returns an HTML page; only the status is useful.
    return undefined;
  }
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && "success" in value && "result" in value;
}
