export { harmless } from "./harmless.ts";
export { addNotices, addOperatorNotice, forgetOldNotices } from "./add-notices.ts";
export { addTeamNotices } from "./add-team-notices.ts";
export { addServiceMail, wakeServiceMail, type ServiceMailKind } from "./add-service-mail.ts";
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
