export { harmless } from "./harmless.ts";
export { forgetOldNotices, oweNotices } from "./owe-notices.ts";
export { oweServiceMail, wakeServiceMail, type ServiceMailKind } from "./owe-service-mail.ts";
export {
  chooseSender,
  noSender,
  requireOperator,
  requireSender,
  selectOperator,
  selectSender,
  senderId,
  type ServiceSender,
} from "./sender.ts";
