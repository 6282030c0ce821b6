export { requireLicense, type LicensedFeature } from "./check-license.ts";
