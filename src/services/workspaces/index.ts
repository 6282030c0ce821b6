export { createUser } from "./create-user.ts";
export { addMember, changeRole, removeMember } from "./members.ts";
export { personalWorkspace } from "./new-workspace.ts";
export {
  memberHolds,
  selectMembers,
  selectPerson,
  selectProjectsOf,
  selectStanding,
  selectWorkspacesOfSession,
} from "./queries.ts";
export { registerAccount } from "./register-account.ts";
export { requireMembership } from "./membership.ts";
export { createWorkspace } from "./create-workspace.ts";
export { deleteWorkspace } from "./delete-workspace.ts";
export { renameWorkspace } from "./rename-workspace.ts";
export { readSetup, REGISTRATIONS } from "./read-setup.ts";
