/* `npm run deploy -- --bounce-domain`: the rule by which Email Routing hands bounces to the Worker. */
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readServiceConfig } from "../../scripts/cloudflare/service-config.ts";
import { dryRun } from "../../scripts/deploy/dry-run.ts";
import { readOptions } from "../../scripts/deploy/options.ts";
import { newZone, type FakeRule, type FakeZone } from "./support/fake-email-routing.ts";
import { startFakeMachine, type FakeMachine } from "./support/fake-machine.ts";

let machine: FakeMachine;
beforeEach(async () => {
  machine = await startFakeMachine();
});
afterEach(async () => {
  await machine.cloudflare.stop();
  rmSync(machine.directory, { recursive: true });
});

const output = () => machine.said.join("\n");
const SUBDOMAIN = "bounce.acme.example";
const WORKER = [{ type: "worker", value: ["postrider"] }];
const ELSEWHERE = [{ type: "forward", value: ["people@inbox.example"] }];
const MAILBOX = {
  name: "Postrider bounces",
  enabled: true,
  matchers: [{ type: "literal", field: "to", value: `bounces@${SUBDOMAIN}` }],
  actions: WORKER,
};
const catchAll = (enabled: boolean, actions: FakeRule["actions"]): FakeRule => ({
  enabled,
  matchers: [{ type: "all" }],
  actions,
});

function addZone(name: string, change: Partial<FakeZone> = {}): FakeZone {
  const zone = newZone(name, change);
  machine.cloudflare.zones.set(`zone-${machine.cloudflare.zones.size}`, zone);
  return zone;
}

const ofRouting = () =>
  machine.cloudflare.changes().filter((call) => call.includes("/email/routing"));

describe("npm run deploy -- --bounce-domain", () => {
  it("gives a subdomain MX records, subaddressing and a rule, and a second run changes nothing", async () => {
    const zone = addZone("acme.example", { enabled: true, catchAll: catchAll(true, ELSEWHERE) });
    await machine.deploy({ bounceDomain: SUBDOMAIN });
    expect(zone).toMatchObject({
      subdomains: [SUBDOMAIN],
      support_subaddress: true,
      rules: [MAILBOX],
      catchAll: catchAll(true, ELSEWHERE),
    });
    expect(output()).toContain(`return_path of your projects to bounces+{token}@${SUBDOMAIN}`);
    expect(output()).toContain(`The SPF record of ${SUBDOMAIN} must include your SMTP server`);
    machine.names?.set(`MX ${SUBDOMAIN}`, ["12 route1.mx.cloudflare.net."]);
    machine.cloudflare.calls = [];
    await machine.deploy({ bounceDomain: SUBDOMAIN });
    expect(ofRouting()).toEqual([]);
  });

  it("gives a domain that is a zone a catch-all rule, and a second run changes nothing", async () => {
    const zone = addZone("acme-bounces.example", { enabled: true });
    await machine.deploy({ bounceDomain: "acme-bounces.example" });
    expect(zone).toMatchObject({ catchAll: catchAll(true, WORKER), rules: [], subdomains: [] });
    machine.cloudflare.calls = [];
    await machine.deploy({ bounceDomain: "acme-bounces.example" });
    expect(ofRouting()).toEqual([]);
  });

  it.each<[string, string, () => unknown]>([
    ["is not in a zone", SUBDOMAIN, () => addZone("other.example")],
    ["Email Routing is off", "acme.example", () => addZone("acme.example")],
    [
      "points to people@inbox.example",
      "acme.example",
      () => addZone("acme.example", { enabled: true, catchAll: catchAll(true, ELSEWHERE) }),
    ],
    [
      "points to people@inbox.example",
      SUBDOMAIN,
      () => addZone("acme.example", { rules: [{ ...MAILBOX, actions: ELSEWHERE }] }),
    ],
    [
      "is disabled",
      SUBDOMAIN,
      () => addZone("acme.example", { rules: [{ ...MAILBOX, enabled: false }] }),
    ],
    [
      "has other mail servers (10 mx.acme.example.)",
      SUBDOMAIN,
      () => {
        addZone("acme.example");
        machine.names?.set(`MX ${SUBDOMAIN}`, ["10 mx.acme.example."]);
      },
    ],
  ])("stops if its mail %s, and changes no other records", async (says, bounceDomain, make) => {
    make();
    const before = structuredClone([...machine.cloudflare.zones.values()]);
    const rulesOf = (zones: FakeZone[]) => zones.map((zone) => [zone.rules, zone.catchAll]);
    await expect(machine.deploy({ bounceDomain })).rejects.toThrow("Remaining: bounces.");
    expect(output()).toContain(says);
    expect(rulesOf([...machine.cloudflare.zones.values()])).toEqual(rulesOf(before));
  });

  it.each(["GET", "POST", "PATCH"])(
    "prints the manual steps if the login may not %s, and the service is deployed",
    async (method) => {
      addZone("acme.example");
      const path = /^\/zones\/[^/]+\/email/;
      const refusal = { status: 403, code: 10_000, message: "Authentication error" };
      machine.cloudflare.faults.push({ method, path, ...refusal, isLasting: true });
      await machine.deploy({ bounceDomain: SUBDOMAIN });
      expect(output()).toContain(`create the address bounces@${SUBDOMAIN}`);
      expect(output()).toMatch(/^ok {6}bounces .*see above$/m);
      expect(machine.cloudflare.workers.has("postrider")).toBe(true);
    },
  );

  it("stops at any other error, and continues from there", async () => {
    const zone = addZone("acme.example");
    const fault = { status: 500, code: 1, message: "internal error" };
    machine.cloudflare.faults.push({ method: "POST", path: /\/rules$/, ...fault });
    await expect(machine.deploy({ bounceDomain: SUBDOMAIN })).rejects.toThrow(
      "Remaining: bounces.",
    );
    await machine.deploy({ bounceDomain: SUBDOMAIN });
    expect(zone.rules).toEqual([MAILBOX]);
  });

  it("is read from the command line, and shown by --dry-run", async () => {
    const options = readOptions(["--bounce-domain", "Bounce.Acme.Example", "--dry-run"], {});
    expect(options).toMatchObject({ bounceDomain: SUBDOMAIN });
    await dryRun(machine, readServiceConfig(machine.directory, machine.env), options);
    expect(output()).toContain(`mail to ${SUBDOMAIN}`);
    expect(machine.cloudflare.calls).toEqual([]);
    expect(() => readOptions(["--bounce-domain", "no domain"], {})).toThrow("--bounce-domain must");
  });
});
