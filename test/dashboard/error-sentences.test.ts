/* Errors of the service, as the dashboard says them to people. */
import { resolve } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { PostriderError } from "../../client/src/errors.ts";
import { bodyOf, invalidField, refusal, type AppError } from "../../src/errors.ts";
import { faultOf } from "../../src/messages/faults.ts";

afterEach(() => vi.unstubAllGlobals());

/** Returns the error of a response, as the client makes it. */
const inResponse = (error: AppError) =>
  new PostriderError(error.message, error.code, error.status, { ...bodyOf(error) });

const ERRORS = [
  refusal("wrong_login", {}),
  refusal("role_lacks_capability", { role: "viewer", capability: "projects:write" }),
  refusal("topic_exists", { name: "News" }),
  invalidField("smtp_port", faultOf("port_25_closed")),
  invalidField("ab.variants.0", faultOf("variant_count")),
].map(inResponse);

it.each([
  [
    "en",
    [
      "Wrong email or password.",
      "Your role (viewer) does not allow this (projects:write).",
      'The project already has a topic named "News".',
      "SMTP port: must be 587 or 465: Cloudflare Workers cannot reach port 25.",
      "Variants: needs 2 to 5 variants.",
    ],
  ],
  [
    "de",
    [
      "E-Mail oder Passwort ist falsch.",
      "Deine Rolle (viewer) erlaubt das nicht (projects:write).",
      "Das Projekt hat schon ein Thema namens „News“.",
      "Port: muss 587 oder 465 sein: Cloudflare Workers erreichen Port 25 nicht.",
      "Varianten: braucht 2 bis 5 Varianten.",
    ],
  ],
])("are sentences without names of the API: %s", async (language, sentences) => {
  vi.stubGlobal("window", { addEventListener: () => undefined });
  vi.stubGlobal("location", { origin: "http://localhost" });
  vi.stubGlobal("localStorage", { getItem: () => language });
  for (const one of ["de", "en"]) await import(resolve(`dashboard/src/text/messages.${one}.ts`));
  const { sayError } = await import(resolve("dashboard/src/ui/error-words.tsx"));
  expect(ERRORS.map(sayError)).toEqual(sentences);
});
