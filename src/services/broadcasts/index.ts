export {
  cancelBroadcast,
  getBroadcast,
  listBroadcasts,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
  type BroadcastProgress,
} from "./control-broadcast.ts";
export { startNamedBroadcast, type NamedBroadcast } from "./start-named-broadcast.ts";
export { waitForBroadcast } from "./wait-for-broadcast.ts";
export { planBroadcast } from "./plan-broadcast.ts";
export { sendRanges } from "./send-ranges.ts";
export { sweepBroadcasts } from "./sweep-broadcasts.ts";
