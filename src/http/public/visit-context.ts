import type { Runtime } from "../../deps.ts";
import type { KnownProjects, TrackingBuffer } from "../../services/tracking/index.ts";
import type { VisitCap } from "./visit-cap.ts";

/** The state that the routes of pixels and links share in one server. */
export interface VisitContext {
  runtime: Runtime;
  visits: TrackingBuffer;
  known: KnownProjects;
  mayRecord: VisitCap;
}
