import type { IpAddress } from "../net/special-addresses.ts";
import type { SpfNetwork, SpfNode, SpfStep } from "./load-spf.ts";
import type { SpfQualifier } from "./spf-record.ts";

/** Result of a record for an address (RFC 7208 §2.6); `unknown` if it depends on the mail. */
export type SpfResult = "pass" | "fail" | "softfail" | "neutral" | "unknown";

const RESULTS: Record<SpfQualifier, SpfResult> = {
  "+": "pass",
  "-": "fail",
  "~": "softfail",
  "?": "neutral",
};

/** Evaluates a valid record for an address. */
export function judgeSpf({ steps, redirect }: SpfNode, address: IpAddress): SpfResult {
  let isSure = true;
  for (const step of steps) {
    const match = matches(step, address);
    if (match === "unknown") isSure = false;
    if (match !== true) continue;
    const result = RESULTS[step.qualifier];
    return isSure || result === "pass" ? result : "unknown";
  }
  const last = redirect ? judgeSpf(redirect, address) : "neutral";
  return isSure || last === "pass" ? last : "unknown";
}

function matches(step: SpfStep, address: IpAddress): boolean | "unknown" {
  switch (step.kind) {
    case "all":
      return true;
    case "networks":
      return step.networks.some((network) => isIn(network, address));
    case "include": {
      const result = judgeSpf(step.node, address);
      return result === "unknown" ? "unknown" : result === "pass";
    }
    case "unknown":
      return "unknown";
  }
}

function isIn({ address: network, prefix }: SpfNetwork, address: IpAddress): boolean {
  if (network.kind() !== address.kind()) return false;
  const [a, b] = [network.toByteArray(), address.toByteArray()];
  return a.every((byte, at) => {
    const bits = Math.min(8, Math.max(0, prefix - at * 8));
    const mask = 0xff & (0xff << (8 - bits));
    return (byte & mask) === ((b[at] ?? 0) & mask);
  });
}

/** Returns true if the record lets any address of an IP version send. */
export function passesAnybody({ steps, redirect }: SpfNode): boolean {
  const isOfAll = (step: SpfStep) =>
    step.kind === "all" ||
    (step.kind === "networks" && step.networks.some(({ prefix }) => prefix === 0));
  const ofAll = steps.find(isOfAll);
  if (ofAll) return ofAll.qualifier === "+";
  return redirect ? passesAnybody(redirect) : false;
}

/** Returns true if no step of the record lets anyone send. */
export function passesNobody({ steps, redirect }: SpfNode): boolean {
  const isClosed = steps.every(
    (step) => step.qualifier !== "+" || (step.kind === "include" && passesNobody(step.node)),
  );
  return isClosed && (redirect ? passesNobody(redirect) : true);
}
