export { awaitedMails } from "./awaited-mails.ts";
export { classifyUserAgent, isSecurityScanner, type VisitorClass } from "./classify-visitor.ts";
export { clickLink, openClickPayload, pixelUrl, unsubscribeUrl } from "./click-link.ts";
export { trackEvent, type TrackingBuffer } from "./gather-events.ts";
export { signText } from "./link-mac.ts";
export { recordEvents } from "./record-events.ts";
export { openReturnPaths, returnPathOf, type ReturnedTo } from "./return-path-token.ts";
export { clickEvent, isLogId, openEvent, type Visitor } from "./tracking-event.ts";
export { isUndoToken, undoToken } from "./undo-token.ts";
