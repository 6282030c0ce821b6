import type { Runtime } from "../../deps.ts";
import type { KnownProjects, TrackingBuffer } from "../../services/tracking/index.ts";
import type { VisitCap } from "./visit-cap.ts";

/** State shared by the routes of pixels and links in one server. */
export interface VisitContext {
  runtime: Runtime;
  visits: TrackingBuffer;
  known: KnownProjects;
  mayRecord: VisitCap;
}
