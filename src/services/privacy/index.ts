export { continueErasures } from "./continue-erasures.ts";
export { eraseAddress, liftErasure } from "./erase-address.ts";
export { readErasures } from "./read-erasures.ts";
export { exportAddress, type AddressExport, type ExportPlace } from "./export-address.ts";
export { exportWhole } from "./export-whole.ts";
