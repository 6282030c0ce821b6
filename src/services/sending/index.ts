export { admitSingle, heldBackError } from "./admit-single.ts";
export { checkProjectSender, type SenderReport } from "./check-sender.ts";
export type { HeldBack } from "./mail-stock.ts";
export { SendingLine, type Admission } from "./sending-line.ts";
export { limitsOf, readSending, saveSending, type Sending } from "./sending-settings.ts";
export { keepSignatures, selectSignatures } from "./seen-signatures.ts";
