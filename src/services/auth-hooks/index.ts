export { selectHook } from "./queries.ts";
export { openHook, receiveCall } from "./receive-call.ts";
export { readHook, rotateHook, saveHook } from "./settings.ts";
