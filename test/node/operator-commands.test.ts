import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { openFirstAccount } from "../../scripts/local/first-account.ts";

const directory = mkdtempSync(join(tmpdir(), "postrider-test-"));
afterAll(() => rmSync(directory, { recursive: true }));

describe("the first account", () => {
  it("stays the owner after a start with a mistyped OWNER_EMAIL", async () => {
    const accounts = new Map<string, string>();
    const server = createServer((request, response) => {
      const reply = async () => {
        const { email, password } = JSON.parse(await text(request));
        if (request.url?.endsWith("/register")) {
          response.statusCode = accounts.size > 0 ? 403 : 201;
          if (accounts.size === 0) accounts.set(email, password);
        } else if (accounts.get(email) === password) {
          response.setHeader("Set-Cookie", "session=s");
        } else response.statusCode = 401;
        response.end("{}");
      };
      void reply();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const stateDir = mkdtempSync(join(directory, "state-"));
    const begin = (ownerEmail?: string, ownerPassword?: string) =>
      openFirstAccount({ address, stateDir, setupToken: "t", ownerEmail, ownerPassword });
    const owner = { outcome: "logged_in", email: "owner@example.com" };
    expect(await begin()).toMatchObject(owner);
    expect(await begin("onwer@example.com")).toMatchObject({ outcome: "refused" });
    expect(await begin()).toMatchObject(owner);
    accounts.set("second@example.com", "second password");
    expect(await begin("second@example.com", "second password")).toMatchObject({
      outcome: "logged_in",
    });
    expect(await begin()).toMatchObject(owner);
    server.close();
  });
});
