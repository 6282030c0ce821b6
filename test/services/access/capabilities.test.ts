/* The tables of roles and capabilities (API reference §2.6 and §2.7). */
import { describe, expect, it } from "vitest";
import {
  CAPABILITIES,
  capabilitiesOf,
  holdersOf,
  keyCapabilities,
  requireKeyCapability,
  roleHolds,
  usableByKey,
} from "../../../src/services/access/capabilities.ts";
import { HOLDERS } from "../../support/capability-matrix.ts";

const ROLES = ["owner", "admin", "developer", "member", "viewer"] as const;
const OF_KEYS = {
  sk: [
    "read",
    "projects:write",
    "subscribers:write",
    "events:write",
    "send:transactional",
    "send:broadcast",
    "automations:write",
  ],
  pk: ["subscribers:write"],
  sdk: ["read", "subscribers:write", "events:write", "send:transactional", "send:broadcast"],
};
const TYPES = ["sk", "pk", "sdk"] as const;

describe("the capability matrix", () => {
  it("names the holders of each capability, in its order", () => {
    expect(CAPABILITIES).toEqual(Object.keys(HOLDERS));
    expect(Object.fromEntries(CAPABILITIES.map((one) => [one, holdersOf(one)]))).toEqual(HOLDERS);
  });

  it.each(ROLES)("gives the role %s its capabilities and no others", (role) => {
    const held = Object.entries(HOLDERS).flatMap(([name, roles]) =>
      roles.includes(role) ? [name] : [],
    );
    expect(capabilitiesOf(role)).toEqual(held);
    expect(CAPABILITIES.filter((one) => roleHolds(role, one))).toEqual(held);
  });
});

describe.each(TYPES)("a key of type %s", (type) => {
  it("can use only the capabilities of its type", () => {
    expect(usableByKey(type)).toEqual(OF_KEYS[type]);
  });

  it("has the capabilities that it was given, as far as its type can use them", () => {
    const capabilities = ["audit:read", "subscribers:write"];
    expect(keyCapabilities({ type, capabilities })).toEqual(["subscribers:write"]);
  });

  it("is rejected without the capability, and the error names it", () => {
    const key = { type, capabilities: ["subscribers:write"] };
    expect(requireKeyCapability(key, "subscribers:write")).toEqual(["subscribers:write"]);
    expect(() => requireKeyCapability(key, "send:broadcast")).toThrow(
      expect.objectContaining({
        code: "key_lacks_capability",
        params: { capability: "send:broadcast" },
      }),
    );
  });
});
