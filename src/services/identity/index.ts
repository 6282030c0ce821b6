export { acceptAsMember, acceptAsNewPerson, readInvitation } from "./accept-invitation.ts";
export { changeAddress } from "./change-address.ts";
export { confirmAddress, mailConfirmation } from "./confirm-address.ts";
export { forgetPassword, resetPassword } from "./forgotten-password.ts";
export { invitePerson, resendInvitation, withdrawInvitation } from "./invitations.ts";
export {
  deleteOldInvitations,
  selectInvitation,
  selectInvitations,
  type OpenInvitation,
} from "./invitation-queries.ts";
export { prepareServiceMail } from "./prepare-service-mail.ts";
