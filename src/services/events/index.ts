export { keptEvents, LAST_BYTES } from "./event-queries.ts";
export { forgetEvents } from "./forget-events.ts";
export { listEvents, readEvent, selectEvents, type ListedEvent } from "./list-events.ts";
export { CREATE, recordEvents, type NewEvent } from "./record-events.ts";
