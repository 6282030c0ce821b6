import { createServer } from "./http/server.ts";
import { runtime } from "./runtime.ts";

/** The HTTP server of the Worker, one per isolate. */
export const server = createServer(runtime);
