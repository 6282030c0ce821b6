import { connect } from "cloudflare:sockets";
import type { Runtime } from "./deps.ts";

/** The sockets, `fetch`, clock and timer of the platform. */
export const runtime: Runtime = {
  sockets: connect,
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
  wait: (ms) => new Promise((resume) => setTimeout(resume, ms)),
};
