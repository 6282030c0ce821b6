export type { HeldBack } from "./mail-stock.ts";
export { SendingLine, type Admission } from "./sending-line.ts";
export { readSending, saveSending, type Sending } from "./sending-settings.ts";
