import { connect } from "cloudflare:sockets";
import type { Runtime } from "./deps.ts";

/** The platform's sockets, `fetch`, clock and timer. */
export const runtime: Runtime = {
  sockets: connect,
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
  wait: (ms) => new Promise((resume) => setTimeout(resume, ms)),
};
