export { isFull, knownFill, requireRoom } from "./fill.ts";
export { measureStorage } from "./measure-storage.ts";
export { hasRoom, noteFreed, selectStorage, type StorageRow } from "./queries.ts";
