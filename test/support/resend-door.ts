/* The Resend door as Resend's own package calls it, with nothing but another base URL. */
import { Resend } from "resend";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { CAPTURING, unique, type Client, type Service } from "./service.ts";

export const address = () => `${unique("to")}@any.test`;

export const mail = (to = address()) => ({
  from: "Shop <sender@postrider.test>",
  to,
  subject: "Hello",
  html: '<p>Hi <a href="https://shop.test/">there</a></p>',
});

/** The answer of the package to a refused call. */
export const refused = (
  statusCode: number,
  name: string,
  message: unknown = expect.any(String),
) => ({
  data: null,
  error: { statusCode, name, message },
  headers: expect.any(Object),
});

/** Returns the data of an answer that must not be an error. */
export function dataOf<Data>({ data, error }: { data: Data | null; error: object | null }): Data {
  expect(error).toBeNull();
  return data as Data;
}

/** Leads the package's requests to a service during each test, and returns clients of the owner. */
export function openDoor(service: Service, owner: Client) {
  const baseUrl = new URL("/resend", service.env.BASE_URL).href;
  const network = fetch;
  beforeEach(() => {
    vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) =>
      typeof input === "string" && input.startsWith(baseUrl)
        ? service.fetch(input, init)
        : network(input, init),
    );
  });
  afterEach(() => void vi.unstubAllGlobals());

  const clientWith = (key: string) => new Resend(key, { baseUrl });
  const newToken = async (...projectIds: string[]) => {
    const { body } = await owner.post("/auth/tokens", { name: "door", project_ids: projectIds });
    return String(body["token"]);
  };
  return {
    clientWith,
    newToken,
    /** Returns a project with a client that may do everything in it. */
    newDoor: async () => {
      const project = await owner.newProject(CAPTURING);
      const token = await newToken(project.id);
      return { project, token, resend: clientWith(token) };
    },
    /** Calls the door as clients without a package do. */
    callWith: (key: string) => async (method: string, path: string, given?: object | string) => {
      const response = await service.fetch(`/resend${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}` },
        ...(given && { body: typeof given === "string" ? given : JSON.stringify(given) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}
