/* Logins with servers that offer more than they take. */
import { describe, expect, it } from "vitest";
import { SmtpConnectError, SmtpSession } from "../../src/mail/smtp/index.ts";
import { startRawServer } from "../support/smtp/raw-client.ts";
import { settingsFor, sockets, TEST_TIMEOUTS } from "../support/smtp/sending.ts";

const login = { user: "user", password: "pass" };

async function loginError(settings: ReturnType<typeof settingsFor>): Promise<SmtpConnectError> {
  const error = await SmtpSession.open(settings, sockets, TEST_TIMEOUTS).catch((e: unknown) => e);
  if (!(error instanceof SmtpConnectError)) throw new Error("the session opened");
  return error;
}

describe("a session", () => {
  it.each([
    ["is refused as unknown", "504 5.5.4 unrecognized authentication type"],
    ["is refused as a mechanism", "535 5.7.8 mechanism not available"],
  ])("logs in with LOGIN where PLAIN %s although it is offered", async (_how, refusal) => {
    const rules = [
      { on: "AUTH PLAIN", steps: [{ send: `${refusal}\r\n` }] },
      { on: "AUTH LOGIN", steps: [{ send: "334 VXNlcm5hbWU6\r\n" }] },
      { on: btoa("user"), steps: [{ send: "334 UGFzc3dvcmQ6\r\n" }] },
      { on: btoa("pass"), steps: [{ send: "235 2.7.0 welcome\r\n" }] },
    ];
    const server = await startRawServer({ offers: ["AUTH PLAIN LOGIN"], rules });
    await (await SmtpSession.open(settingsFor(server.port, login), sockets, TEST_TIMEOUTS)).quit();
    const plainAlone = await startRawServer({ offers: ["AUTH PLAIN"], rules });
    const { message } = await loginError(settingsFor(plainAlone.port, login));
    expect(message).toContain(refusal);
  });

  it("does not retry a rejected password with LOGIN", async () => {
    const server = await startRawServer({
      offers: ["AUTH PLAIN LOGIN"],
      rules: [{ on: "AUTH", steps: [{ send: "535 5.7.8 wrong password\r\n" }] }],
    });
    await loginError(settingsFor(server.port, login));
    const [connection] = (await server.log()).connections;
    const said = connection?.traffic.filter(({ text }) => text.startsWith("AUTH")) ?? [];
    expect(said).toHaveLength(1);
  });

  it("answers a server that requests the PLAIN response again", async () => {
    const response = btoa("\0user\0pass");
    const rules = [
      { on: "AUTH PLAIN", steps: [{ send: "334 \r\n" }] },
      { on: response, steps: [{ send: "235 2.7.0 welcome\r\n" }] },
    ];
    const server = await startRawServer({ offers: ["AUTH PLAIN"], rules });
    await (await SmtpSession.open(settingsFor(server.port, login), sockets, TEST_TIMEOUTS)).quit();
  });
});
