export { isFull, knownFill, requireRoom, type KnownFill } from "./fill.ts";
export { measureStorage } from "./measure-storage.ts";
export { measureWorkspaces } from "./measure-workspaces.ts";
export { hasRoom, selectRoom, selectStorage, type StorageRow } from "./queries.ts";
export { deliveryBytes, eventBytes, noteAdded, noteStored, subscriberBytes } from "./quota.ts";
