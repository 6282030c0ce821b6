export {
  licenseFacts,
  LICENSED_FEATURES,
  requireLicense,
  TIERS,
  type LicensedFeature,
} from "./check-license.ts";
