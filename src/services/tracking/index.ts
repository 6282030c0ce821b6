export { addressUnsubscribeUrl, openAddressToken } from "./address-link.ts";
export { awaitedMails } from "./awaited-mails.ts";
export { classifyUserAgent, isProgram, type VisitorClass } from "./classify-visitor.ts";
export {
  clickLink,
  openClickPayload,
  pixelUrl,
  unsubscribeUrl,
  type LinkedMail,
} from "./click-link.ts";
export {
  confirmationUrl,
  openConfirmationLink,
  type ConfirmationLink,
} from "./confirmation-link.ts";
export { dataUrl, openDataLink } from "./data-link.ts";
export { trackEvent, type TrackingBuffer } from "./gather-events.ts";
export { endLinks, haveLinksEnded, knownProjects, type KnownProjects } from "./gone-projects.ts";
export { addressMarkOf } from "./link-token.ts";
export { openPreferenceLink, preferencesUrl, type PreferenceLink } from "./preference-link.ts";
export { recordEvents } from "./record-events.ts";
export { openReturnPaths, returnPathOf, type ReturnedTo } from "./return-path-token.ts";
export { clickEvent, isLogId, openEvent, type Visitor } from "./tracking-event.ts";
export { isUndoToken, undoToken } from "./undo-token.ts";
export { isViewUrl, openViewLink, testViewUrl, viewUrl, type ViewLink } from "./view-link.ts";
