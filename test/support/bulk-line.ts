import type { BulkLine } from "../../src/services/mailing/deliver.ts";
import type { Gate } from "../../src/services/mailing/gate.ts";
import { openPool } from "./smtp/shipping.ts";

/** The way of a delivery to a server without limits, over four connections. */
export function openLine(changes: Partial<Gate> = {}): BulkLine {
  const gate: Gate = {
    connectionsMax: () => 4,
    takeSingle: () => 0,
    takeBulk: () => undefined,
    learn: () => undefined,
    waiting: 0,
    ...changes,
  };
  return { pool: openPool(), gate, pace: undefined };
}
