export { createUser, type NewUserInput } from "./create-user.ts";
export { addMember, changeRole, removeMember } from "./members.ts";
export {
  selectMembers,
  selectPerson,
  selectProjectsOf,
  selectWorkspacesOfSession,
  type Member,
} from "./queries.ts";
export { registerAccount, type Registration } from "./register-account.ts";
export { createWorkspace, deleteWorkspace, renameWorkspace } from "./workspaces.ts";
