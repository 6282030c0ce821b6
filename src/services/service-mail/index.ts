export { forgetOldNotices, oweNotices, type Notice } from "./owe-notices.ts";
export {
  oweServiceMail,
  wakeServiceMail,
  type OwedServiceMail,
  type ServiceMailKind,
} from "./owe-service-mail.ts";
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
