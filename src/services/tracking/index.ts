export {
  clickLink,
  openClickPayload,
  pixelUrl,
  unsubscribeUrl,
  type ClickTarget,
} from "./click-link.ts";
