import { connect } from "cloudflare:sockets";
import type { Runtime } from "./deps.ts";

/** The sockets, `fetch` and clock of the platform. */
export const runtime: Runtime = {
  sockets: connect,
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
};
