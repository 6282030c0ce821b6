export { askSender } from "./ask-sender.ts";
export { checkProjectSender } from "./check-sender.ts";
export { limitsOf, readSending, saveSending, type Sending } from "./sending-settings.ts";
export { keepSignatures, selectSignatures } from "./seen-signatures.ts";
