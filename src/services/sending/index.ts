export { readSending, saveSending, type Sending } from "./sending-settings.ts";
